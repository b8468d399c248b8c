"""API Gateway's REST proxy semantics, from one HTTP request to one answer; no sockets here.

```
 request ──► route ──► authorizer ──► rate ──► function ──► answer
               │            │           │          │
               └────────────┴───────────┴──────────┴──► gateway_responses
```
"""

import re
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from local import gateway_responses as failures
from local.gateway_responses import Answer, Failure
from local.proxy_events import NoProxyAnswer, Request, answer_of, body_of, event_of
from local.rates import Rates
from local.template import Route, Template

ACCOUNT, REGION = "000000000000", "us-east-1"
MAX_BODY_BYTES = 10 * 1024 * 1024  # API Gateway's payload quota
MAX_SECONDS = 29  # API Gateway's integration time-out


class Outcome(Protocol):
    """How an invocation ended: `error` is None and `value` the answer, or `error` its type."""

    @property
    def value(self) -> Any: ...
    @property
    def error(self) -> str | None: ...
    @property
    def message(self) -> str: ...


Invoke = Callable[[str, Mapping[str, Any]], Outcome]


class Refused(Exception):
    """The gateway answers itself."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.kind)
        self.failure = failure


class Gateway:
    """Serves the API of one template through `invoke`, under one API id.

    `rates` None: nobody is held to a plan.
    """

    def __init__(
        self, template: Template, invoke: Invoke, api_id: str, rates: Rates | None = None
    ) -> None:
        self._template, self._invoke, self._api_id = template, invoke, api_id
        self._rates = rates

    def handle(self, request: Request) -> Answer:
        """Answer one request; never raises for what the request or a function does."""
        url = urlsplit(request.target)
        path = self._without_stage(url.path)
        context = self._context(request, path)
        try:
            return self._serve(request, path, url.query, context)
        except Refused as refused:
            return self.refuse(refused.failure, context)

    def refuse(self, failure: Failure, context: Mapping[str, Any] | None = None) -> Answer:
        """Return the gateway's own answer to `failure`."""
        known = {"requestId": str(uuid.uuid4())} if context is None else context
        variables = {k: str(v) for k, v in known.items() if isinstance(v, str | int)}
        return failures.answer(self._template.responses, failure, variables)

    def _serve(self, request: Request, path: str, query: str, context: dict[str, Any]) -> Answer:
        routes = [r for r in self._template.routes if r.pattern.fullmatch(path)]
        if request.method == "OPTIONS" and routes and self._template.cors:
            return self._preflight(request, path, query, routes, context)
        for route in routes:
            if route.method in (request.method, "ANY"):
                return self._call(request, path, query, route, context)
        raise Refused(failures.MISSING_AUTHENTICATION_TOKEN)

    def _call(
        self, request: Request, path: str, query: str, route: Route, context: dict[str, Any]
    ) -> Answer:
        event = event_of(request, path, query, route, context)
        if route.authorizer:
            context["authorizer"] = self._authorize(route.authorizer, event)
            self._hold_to_plan(context["authorizer"])
        outcome = self._invoke(route.function, event | body_of(request.body))
        if outcome.error == "Sandbox.Timedout":
            raise Refused(self._timed_out(route.function))
        if outcome.error:
            raise Refused(failures.INTEGRATION_FAILURE)
        try:
            return answer_of(outcome.value)
        except NoProxyAnswer:
            raise Refused(failures.INTEGRATION_FAILURE) from None

    def _timed_out(self, function: str) -> Failure:
        longer = self._template.functions[function].timeout > MAX_SECONDS
        return failures.INTEGRATION_TIMEOUT if longer else failures.INTEGRATION_FAILURE

    def _authorize(self, function: str, event: Mapping[str, Any]) -> dict[str, str]:
        """Return the authorizer's context; raise Refused when it does not allow."""
        request = event["requestContext"]
        arn = (
            f"arn:aws:execute-api:{REGION}:{ACCOUNT}:{self._api_id}/{self._template.stage}/"
            f"{request['httpMethod']}{event['path']}"
        )
        outcome = self._invoke(function, {**event, "type": "REQUEST", "methodArn": arn})
        if outcome.error:
            unknown = outcome.message == "Unauthorized"
            raise Refused(failures.UNAUTHORIZED if unknown else failures.AUTHORIZER_FAILURE)
        return _admit(outcome.value, arn)

    def _hold_to_plan(self, caller: Mapping[str, str]) -> None:
        if self._rates is None:
            return
        if failure := self._rates.refusal(caller.get("tenant", ""), caller.get("plan", "")):
            raise Refused(failure)

    def _preflight(
        self, request: Request, path: str, query: str, routes: list[Route], context: dict[str, Any]
    ) -> Answer:
        cors, authorizer = self._template.cors, self._template.preflight_authorizer
        assert cors is not None
        if authorizer:
            self._authorize(authorizer, event_of(request, path, query, routes[0], context))
        methods = ",".join(sorted({route.method for route in routes} | {"OPTIONS"}))
        headers = {
            "Content-Type": failures.JSON,
            "Access-Control-Allow-Origin": cors.origin,
            "Access-Control-Allow-Methods": cors.methods or methods,
            "Access-Control-Allow-Headers": cors.headers,
            "Access-Control-Max-Age": cors.max_age,
        }
        return Answer(200, tuple((k, v) for k, v in headers.items() if v), b"{}\n")

    def _without_stage(self, path: str) -> str:
        prefix = f"/{self._template.stage}"
        return path.removeprefix(prefix) if path.startswith(f"{prefix}/") else path

    def _context(self, request: Request, path: str) -> dict[str, Any]:
        now = time.time()
        agent = next((v for k, v in request.headers if k.lower() == "user-agent"), None)
        return {
            "accountId": ACCOUNT,
            "apiId": self._api_id,
            "stage": self._template.stage,
            "httpMethod": request.method,
            "path": f"/{self._template.stage}{unquote(path)}",
            "protocol": "HTTP/1.1",
            "requestId": str(uuid.uuid4()),
            "extendedRequestId": str(uuid.uuid4()),
            "requestTime": time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(now)),
            "requestTimeEpoch": int(now * 1000),
            "identity": {"sourceIp": request.client, "userAgent": agent},
        }


def _admit(value: Any, arn: str) -> dict[str, str]:
    """Read an authorizer's answer: its context as flat strings, or Refused."""
    try:
        principal, statements = value["principalId"], value["policyDocument"]["Statement"]
        effects = {s["Effect"] for s in statements if _covers(s["Resource"], arn)}
        given = dict(value.get("context") or {})
    except (KeyError, TypeError, ValueError):
        raise Refused(failures.AUTHORIZER_CONFIGURATION_ERROR) from None
    if any(not isinstance(entry, str | int | float) for entry in given.values()):
        raise Refused(failures.AUTHORIZER_CONFIGURATION_ERROR)
    if "Deny" in effects:
        raise Refused(failures.EXPLICIT_DENY)
    if "Allow" not in effects:
        raise Refused(failures.ACCESS_DENIED)
    return {k: _flat(v) for k, v in given.items()} | {"principalId": str(principal)}


def _covers(resource: str | list[str], arn: str) -> bool:
    patterns = [resource] if isinstance(resource, str) else resource
    escaped = [re.escape(p).replace(r"\*", ".*").replace(r"\?", ".") for p in patterns]
    return any(re.fullmatch(pattern, arn) for pattern in escaped)


def _flat(value: str | int | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
