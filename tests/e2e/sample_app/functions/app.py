"""Functions that echo, write, fail, hang and die, for tests of the local cloud."""

import json
import os
import time
from pathlib import Path

import boto3

table = boto3.resource("dynamodb").Table(os.environ["MEMORY_TABLE"])


def authorize(event, context):
    """Admit `Bearer good`; deny `Bearer bad`; anything else as its name says."""
    headers = {name.lower(): value for name, value in event["headers"].items()}
    key = headers.get("authorization", "").removeprefix("Bearer ")
    if not key:
        raise Exception("Unauthorized")
    if key == "crash":
        raise RuntimeError("the authorizer broke")
    if key == "malformed":
        return {"policyDocument": {}}
    effect = "Allow" if key == "good" else "Deny"
    statement = {"Effect": effect, "Action": "execute-api:Invoke", "Resource": "*"}
    policy = {"Version": "2012-10-17", "Statement": [statement]}
    return {"principalId": "p1", "policyDocument": policy, "context": {"tenant": "t", "n": 1}}


def echo(event, context):
    """Answer with the event, the greeting of the environment and two cookies."""
    body = {"event": event, "greeting": os.environ["GREETING"], "function": context.function_name}
    cookies = {"Set-Cookie": ["a=1", "b=2"]}
    return {"statusCode": 200, "multiValueHeaders": cookies, "body": json.dumps(body)}


def health(event, context):
    """Answer without a key."""
    return {"statusCode": 200, "body": json.dumps({"pid": os.getpid()})}


def misbehave(event, context):
    """Do what the body says: hang, die, raise, or answer something that is no proxy answer."""
    match event["body"]:
        case "hang":
            time.sleep(60)
        case "die":
            os._exit(3)
        case "raise":
            raise RuntimeError("on request")
        case "split":
            return {"statusCode": 200, "headers": {"X-A": "b\r\nX-C: d"}, "body": ""}
    return {"nonsense": True}


def write(event, context):
    """Store one item."""
    table.put_item(Item={"pk": event["pathParameters"]["id"], "sk": "ITEM", "body": event["body"]})
    return {"statusCode": 201, "body": "{}"}


def count(event, context):
    """Answer the ids of all items."""
    ids, page = [], {}
    while True:
        answer = table.scan(ConsistentRead=True, **page)
        ids += [item["pk"] for item in answer["Items"]]
        if "LastEvaluatedKey" not in answer:
            return {"statusCode": 200, "body": json.dumps(ids)}
        page = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}


def on_item(event, context):
    """Note when each item of the stream arrived; fail the first time for ids that ask for it."""
    seen = Path(os.environ["SEARCH_FOLDER"]) / "stream.jsonl"
    ids = [record["dynamodb"]["Keys"]["pk"]["S"] for record in event["Records"]]
    with seen.open("a") as out:
        out.write(json.dumps({"ids": ids, "at": time.time()}) + "\n")
    if any("once" in id for id in ids) and seen.read_text().count("once") == 1:
        raise RuntimeError("the first attempt fails")
