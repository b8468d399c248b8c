"""GET /openapi.json: needs no key, answers the shipped document as it is."""

from functions.api.openapi import handler
from muniment.api.openapi import FILE
from tests.builders import CONTEXT, an_event


def test_given_no_key_when_asked_then_the_document_comes_byte_for_byte():
    event = an_event("GET", "/openapi.json")
    del event["requestContext"]["authorizer"]
    answer = handler(event, CONTEXT)
    assert answer["statusCode"] == 200
    assert answer["multiValueHeaders"]["Content-Type"] == ["application/json"]
    assert answer["body"] == FILE.read_text(encoding="utf-8")
