"""The one place where a verb becomes a Lambda.

event ─► key's action ─► body ─► resolver: path, fields ─► verb ─► answer
             403          400/413         400/422          problem or view
"""

from __future__ import annotations

import hashlib
import hmac
import json
import traceback
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, TypeVar

from aws_lambda_powertools import Logger
from aws_lambda_powertools.event_handler import APIGatewayRestResolver, CORSConfig, Response
from aws_lambda_powertools.event_handler.exceptions import ServiceError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.logging import correlation_paths
from pydantic import BaseModel, ValidationError

from muniment.api import body, problems
from muniment.api.asking import caller_of, idempotency_key, if_match, subscription_of
from muniment.domain import limits
from muniment.domain.caller import EVERYWHERE, Action, Asked, Caller
from muniment.domain.errors import Refused, Unprocessable
from muniment.domain.guard.screen import screen
from muniment.domain.intake import Idempotency
from muniment.domain.moments import DAY
from muniment.domain.subscription import check_served

BASE = "/api/v1/project-memory"
FRAMES = 8  # innermost calls that a crash leaves in the log
WITH_BODY = ("POST", "PUT", "PATCH")
EXPOSED = ["X-Idempotent-Replayed", "X-Project-Memory-Budget", "Retry-After"]
Q = TypeVar("Q", bound=BaseModel)
Event = dict[str, Any]
Handler = Callable[[Event, Any], Event]

logger = Logger(service="muniment")


def create_app() -> APIGatewayRestResolver:
    """Return a resolver on which every verb fails in one shape, application/problem+json.

    All handlers are needed: the one for Exception also catches what Powertools raises for an
    unknown route or a bad body, and would call both a 500.
    """
    cors = CORSConfig(allow_origin="*", expose_headers=EXPOSED)
    app = APIGatewayRestResolver(enable_validation=True, cors=cors, serializer=_compact)

    @app.exception_handler(Refused)
    def refuse(refusal: Refused) -> Response[str]:
        return _refused(refusal, app.current_event.raw_event)

    @app.exception_handler(RequestValidationError)
    def reject(invalid: RequestValidationError) -> Response[str]:
        return problems.invalid(invalid.errors(), request_id(app.current_event.raw_event))

    @app.exception_handler(ServiceError)
    def decline(error: ServiceError) -> Response[str]:
        status, rid = HTTPStatus(error.status_code), request_id(app.current_event.raw_event)
        return problems.problem(status, status.name.lower(), str(error.msg), rid, retry=False)

    @app.exception_handler(Exception)
    def crash(error: Exception) -> Response[str]:
        return _crashed(error, app.current_event.raw_event)

    return app


def _compact(answer: Any) -> str:
    """Write JSON with letters as they are: escaped, Russian would take three times the room."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":"))


def entrypoint(
    app: APIGatewayRestResolver,
    action: Action | None,
    *,
    with_body: bool = True,
    writes: bool | None = None,
) -> Handler:
    """Wrap `app` as a Lambda handler.

    `action` is what the key must allow; None: no key is needed. `with_body` False: a POST that
    needs no body. `writes`: refused while a lapsed subscription is read-only; by default every
    action but read is, unless it is a GET.
    """

    @logger.inject_lambda_context(
        correlation_id_path=correlation_paths.API_GATEWAY_REST, clear_state=True
    )
    def handler(event: Event, context: Any) -> Event:
        try:
            if action is not None:
                kept = action is not Action.READ and event["httpMethod"] != "GET"
                check_served(subscription_of(event), writes=kept if writes is None else writes)
                caller_of(event).allow(action)
            return app.resolve(_with_checked_body(event) if with_body else event, context)
        except Refused as refusal:
            refused = _refused(refusal, event)
        except Exception as error:  # before the resolver could catch it
            refused = _crashed(error, event)
        return _answer(refused)

    return handler


def asked(app: APIGatewayRestResolver, where: Any, now: int) -> Asked:
    """Return who asks, and where: `where` has the query's project and workspace."""
    event = app.current_event.raw_event
    caller = caller_of(event)
    project = caller.project(where.project)
    screen(
        where.workspace, "query.workspace"
    )  # a first write makes the workspace: its name is kept
    return Asked(caller, project, where.workspace, now, idempotency_key(event), if_match(event))


def asked_in(app: APIGatewayRestResolver, project: str, now: int) -> Asked:
    """Return who asks about the project of the path. Raises NotFound."""
    caller = caller_of(app.current_event.raw_event)
    return Asked(caller, caller.project(project), "default", now)


def asked_everywhere(app: APIGatewayRestResolver, now: int) -> Asked:
    """Return who asks, where the whole tenant is meant."""
    return Asked(caller(app), EVERYWHERE, "default", now)


def caller(app: APIGatewayRestResolver) -> Caller:
    """Return who asks, where no single project is meant."""
    return caller_of(app.current_event.raw_event)


def query(app: APIGatewayRestResolver, model: type[Q]) -> Q:
    """Return the query string as `model`. Unknown and repeated parameters are refused."""
    sent = app.current_event.raw_event.get("multiValueQueryStringParameters") or {}
    repeated = [name for name, values in sent.items() if len(values) != 1]
    if repeated:
        name = problems.short_name(repeated[0])
        raise Unprocessable(
            f"'{name}' stands more than once in the query",
            field=f"query.{name}",
            limit=1,
            actual=len(sent[repeated[0]]),
        )
    try:
        return model.model_validate({name: values[0] for name, values in sent.items()})
    except ValidationError as error:
        found = [{**e, "loc": ("query", *e["loc"])} for e in error.errors(include_url=False)]
        raise RequestValidationError(found) from None


def idempotency(asked: Asked, ask: BaseModel, secret: str, about: str = "") -> Idempotency | None:
    """Return the identity of this request, if the caller gave it a key (rule 20, row I-13).

    Key and body are kept as keyed hashes only: neither can be guessed from what is stored. Only
    what was sent counts, in one order, so that a new release knows the requests of the last one.
    """
    if asked.idempotency_key is None:
        return None
    mine = f"{asked.caller.tenant}:{asked.project}:{secret}".encode()
    sent = json.dumps(ask.model_dump(mode="json", exclude_unset=True), sort_keys=True)

    def hashed(text: str) -> str:
        return hmac.new(mine, text.encode(), hashlib.sha256).hexdigest()

    return Idempotency(
        principal=asked.caller.principal,
        verb=type(ask).__name__,
        key=hashed(asked.idempotency_key),
        request=hashed(f"{asked.workspace}:{about}:{asked.if_match}:{sent}"),
        until=asked.now + limits.IDEMPOTENCY_DAYS * DAY,
    )


def request_id(event: Event) -> str:
    return str(event.get("requestContext", {}).get("requestId", ""))


def _with_checked_body(event: Event) -> Event:
    if event.get("httpMethod") not in WITH_BODY:
        return event
    text = body.text_of(event)
    body.check_json(text)
    headers = {k: v for k, v in (event.get("headers") or {}).items() if k.lower() != "content-type"}
    multi = {
        k: v
        for k, v in (event.get("multiValueHeaders") or {}).items()
        if k.lower() != "content-type"
    }
    # It is JSON, whatever it is called: `curl -d` calls everything a form.
    headers["content-type"], multi["content-type"] = "application/json", ["application/json"]
    return {
        **event,
        "body": text,
        "isBase64Encoded": False,
        "headers": headers,
        "multiValueHeaders": multi,
    }


def _refused(refusal: Refused, event: Event) -> Response[str]:
    logger.info("refused", code=refusal.code)
    return problems.refused(refusal, request_id(event))


def _crashed(error: Exception, event: Event) -> Response[str]:
    """Log where it broke, never what it held: an error's text may carry a fact (row I-10)."""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    logger.error("crashed", error=type(error).__name__, where=where)
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    detail = "something broke on our side; nothing half written is kept"
    return problems.problem(status, "internal", detail, request_id(event), retry=True)


def _answer(response: Response[str]) -> Event:
    headers = {"Content-Type": problems.MEDIA_TYPE, "Access-Control-Allow-Origin": "*"}
    return {
        "statusCode": response.status_code,
        "body": response.body,
        "isBase64Encoded": False,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
    }
