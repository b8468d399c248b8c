"""Tokens of payment and trade."""

from __future__ import annotations

from muniment.domain.guard.entropy import is_mixed
from muniment.domain.guard.rules_form import Token

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

TOKENS = (
    Token(
        "stripe-key",
        "Stripe: API keys",
        "sk_live_ sk_test_ rk_live_ rk_test_ sk_org_live_ sk_org_test_",
        "[A-Za-z0-9]{10,250}",
    ),
    Token("webhook-secret", "Stripe, Standard Webhooks", "whsec_", "[A-Za-z0-9+/]{24,}={0,2}"),
    Token("square-token", "Square: access tokens", "sq0atp-", r"[\w-]{22}"),
    Token("square-secret", "Square: application secrets", "sq0csp-", r"[\w-]{43}"),
    Token("square-token", "Square: access tokens", "EAAA", r"[\w-]{60}"),
    Token(
        "braintree-token",
        "PayPal Braintree: access tokens",
        "access_token$production$ access_token$sandbox$",
        r"[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    Token(
        "shopify-token",
        "Shopify: token prefixes",
        "shpat_ shpca_ shppa_ shpss_",
        "[0-9a-fA-F]{32}",
    ),
    Token(
        "adyen-key",
        "Adyen: API credentials",
        "AQE",
        r"[A-Za-z0-9+/]{20,200}={0,2}-[A-Za-z0-9+/]{16,200}={0,2}-[A-Za-z0-9+/=]{8,200}",
    ),
    Token(
        "plaid-token",
        "Plaid: access tokens",
        "access-sandbox- access-development- access-production-",
        UUID,
    ),
    Token("razorpay-key", "Razorpay: API keys", "rzp_live_ rzp_test_", "[A-Za-z0-9]{14}"),
    Token(
        "flutterwave-key",
        "Flutterwave: secret keys",
        "FLWSECK_TEST- FLWSECK-",
        "[0-9a-f]{12,32}(?:-X)?",
    ),
    Token(
        "payment-live-key",
        "YooKassa, Mollie, GoCardless, Lob: live keys",
        "live_",
        r"[\w-]{30,60}",
        must=is_mixed,
    ),
    Token("yookassa-test-key", "YooKassa: secret keys", "test_", r"[\w-]{43}", must=is_mixed),
    Token("lob-test-key", "Lob: API keys", "test_", "[0-9a-f]{35}"),
    Token("easypost-key", "EasyPost: API keys", "EZAK EZTK", "[A-Za-z0-9]{54}"),
    Token("shippo-token", "Shippo: API tokens", "shippo_live_ shippo_test_", "[0-9a-f]{40}"),
    Token("duffel-token", "Duffel: access tokens", "duffel_live_ duffel_test_", r"[\w-]{43}"),
    Token(
        "xendit-key",
        "Xendit: API keys",
        "xnd_production_ xnd_development_",
        "[A-Za-z0-9]{30,80}",
    ),
    Token("midtrans-key", "Midtrans: server keys", "Mid-server-", r"[\w-]{22,30}"),
    Token(
        "paddle-key",
        "Paddle: API keys",
        "pdl_live_apikey_ pdl_sdbx_apikey_",
        "[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}",
    ),
    Token("polar-token", "Polar: access tokens", "polar_oat_ polar_pat_", "[A-Za-z0-9]{30,60}"),
    Token("tinkoff-invest-token", "T-Invest API: tokens", "t.", r"[\w-]{86}", must=is_mixed),
)
