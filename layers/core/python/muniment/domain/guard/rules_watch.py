"""Tokens of observability, product analytics and on-call services."""

from __future__ import annotations

from muniment.domain.guard.rules_form import Shape, Token

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

TOKENS = (
    Token("new-relic-user-key", "New Relic: API keys", "NRAK-", "[A-Z0-9]{27}"),
    Token("new-relic-insert-key", "New Relic: API keys", "NRII- NRIQ-", r"[\w-]{32}"),
    Token("new-relic-browser-key", "New Relic: API keys", "NRJS-", "[0-9a-f]{19}"),
    Token("sentry-token", "Sentry: auth tokens", "sntrys_", r"[\w+/=-]{60,}"),
    Token("sentry-token", "Sentry: user and app tokens", "sntryu_ sntrya_", "[0-9a-f]{64}"),
    Token("grafana-token", "Grafana: service accounts", "glsa_", "[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),
    Token("grafana-cloud-token", "Grafana Cloud: tokens", "glc_", "eyJ[A-Za-z0-9+/=]{40,}"),
    Token("grafana-api-key", "Grafana: legacy API keys", "eyJrIjoi", "[A-Za-z0-9]{60,400}={0,2}"),
    Token(
        "dynatrace-token",
        "Dynatrace: token formats",
        "dt0c01. dt0s01. dt0s02. dt0s03. dt0s04. dt0s06. dt0s08. dt0s16.",
        r"[A-Z0-9]{8,24}\.[A-Z0-9]{64}",
    ),
    Token("honeycomb-key", "Honeycomb: ingest keys", "hcaik_ hcxik_ hcamk_", r"\w{50,70}"),
    Token("axiom-token", "Axiom: API and personal tokens", "xaat- xapt-", UUID),
    Token("posthog-key", "PostHog: personal API keys", "phx_", "[A-Za-z0-9]{40,50}"),
    Token(
        "logfire-token", "Logfire: write tokens", "pylf_v1_us_ pylf_v1_eu_", "[A-Za-z0-9]{40,60}"
    ),
    Token("checkly-key", "Checkly: API keys", "cu_", "[0-9a-f]{32}"),
)

SHAPES = (
    Shape(
        "new-relic-license-key",
        "New Relic: license keys end in NRAL",
        "nral",
        r"(?<![0-9A-Za-z])[0-9a-f]{36}NRAL(?![0-9A-Za-z])",
        back=(36,),
    ),
)
