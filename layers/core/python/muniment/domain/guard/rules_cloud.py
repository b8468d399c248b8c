"""Tokens of clouds, platforms and stores of secrets."""

from __future__ import annotations

from muniment.domain.guard.rules_form import Shape, Token

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

TOKENS = (
    Token("aws-access-key", "AWS IAM: unique identifiers", "AKIA ASIA ABIA ACCA", "[A-Z0-9]{16}"),
    Token("aws-bedrock-key", "AWS Bedrock: API keys", "ABSK", "[A-Za-z0-9+/]{100,270}={0,2}"),
    Token("aws-mws-token", "Amazon MWS: authorization", "amzn.mws.", UUID),
    Token("google-api-key", "Google Cloud: API keys", "AIza", r"[\w-]{35}"),
    Token("google-oauth-secret", "Google: OAuth client", "GOCSPX-", r"[\w-]{28}"),
    Token("google-access-token", "Google: OAuth tokens", "ya29.", r"[\w.-]{30,}"),
    Token("google-refresh-token", "Google: OAuth tokens", "1//0", r"[\w-]{40,}"),
    Token("google-hmac-key", "Cloud Storage: HMAC keys", "GOOG1", "[A-Z0-9]{56,61}"),
    Token("firebase-server-key", "Firebase: legacy keys", "AAAA", r"[\w-]{7}:[\w-]{140}"),
    Token("digitalocean-token", "DigitalOcean: tokens", "dop_v1_ doo_v1_ dor_v1_", "[0-9a-f]{64}"),
    Token("alibaba-access-key", "Alibaba RAM: AccessKey", "LTAI", "[A-Za-z0-9]{12,26}"),
    Token("tencent-secret-id", "Tencent CAM: keys", "AKID", "[A-Za-z0-9]{32}"),
    Token("yandex-api-key", "Yandex Cloud: API key", "AQVN", r"[\w-]{35,38}"),
    Token("yandex-access-key", "Yandex Cloud: static keys", "YCAJE", r"[\w-]{20}"),
    Token("yandex-secret-key", "Yandex Cloud: static keys", "YCN YCP YCM YCO", r"[\w-]{37}"),
    Token("yandex-oauth-token", "Yandex OAuth", "y0_ y1_ y2_ y3_", r"[\w-]{50,64}"),
    Token(
        "yandex-iam-token", "Yandex Cloud: IAM token", "t1.", r"[\w-]{20,}={0,2}\.[\w-]{86}={0,2}"
    ),
    Token("cloudflare-origin-key", "Cloudflare: Origin CA", "v1.0-", "[0-9a-f]{24}-[0-9a-f]{146}"),
    Token("heroku-token", "Heroku: API authentication", "HRKU-", r"[\w-]{36,64}"),
    Token(
        "vercel-token", "Vercel: token formats", "vcp_ vci_ vca_ vcr_ vck_", "[A-Za-z0-9]{24,80}"
    ),
    Token("netlify-token", "Netlify: access tokens", "nfp_ nfc_ nfo_ nfu_", "[A-Za-z0-9]{36}"),
    Token("fly-token", "Fly.io: macaroons", "fm1a_ fm1r_ fm2_", "[A-Za-z0-9+/]{80,}={0,3}"),
    Token("fly-token", "Fly.io: access tokens", "fo1_", r"[\w-]{43}"),
    Token("vault-token", "HashiCorp Vault: tokens", "hvs. hvb. hvr.", r"[\w-]{24,200}"),
    Token(
        "doppler-token",
        "Doppler: auth token formats",
        "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit. dp.said.",
        r"(?:[\w-]{1,35}\.)?[A-Za-z0-9]{40,44}",
    ),
    Token("pulumi-token", "Pulumi Cloud: access tokens", "pul-", "[0-9a-f]{40}"),
    Token("databricks-token", "Databricks: PAT", "dapi", "[0-9a-f]{32}"),
    Token("supabase-token", "Supabase: access tokens", "sbp_", "[0-9a-f]{40}"),
    Token("supabase-secret-key", "Supabase: API keys", "sb_secret_", r"[\w-]{30,50}"),
    Token(
        "planetscale-token",
        "PlanetScale: service tokens, passwords",
        "pscale_tkn_ pscale_oauth_ pscale_pw_",
        r"[\w=.-]{32,64}",
    ),
    Token("neon-api-key", "Neon: API keys", "napi_", "[a-z0-9]{60,70}"),
    Token("render-api-key", "Render: API", "rnd_", "[A-Za-z0-9]{28,36}"),
    Token("scalingo-token", "Scalingo: API tokens", "tk-us-", r"[\w-]{48}"),
    Token("backblaze-key", "Backblaze B2: application keys", "K00", "[0-9][A-Za-z0-9/+]{27}"),
    Token("infracost-key", "Infracost: API key", "ico-", "[A-Za-z0-9]{32}"),
    Token(
        "tailscale-key",
        "Tailscale: key prefixes",
        "tskey-auth- tskey-api- tskey-client- tskey-scim- tskey-webhook-",
        "[A-Za-z0-9]{8,24}-[A-Za-z0-9]{20,40}",
    ),
    Token("1password-token", "1Password: service accounts", "ops_eyJ", r"[\w+/=-]{100,}"),
    Token(
        "1password-secret-key",
        "1Password: Secret Key",
        "A3-",
        "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    ),
    Token(
        "infisical-token",
        "Infisical: service tokens",
        "st.",
        r"[0-9a-f-]{24,36}(?:\.[0-9a-f]{32,64}){1,2}",
    ),
)

SHAPES = (
    Shape(
        "azure-client-secret",
        "Microsoft Entra: client secrets",
        "q~",
        r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}",
        back=(4,),
    ),
    Shape(
        "azure-storage-key",
        "Azure Storage: connection strings",
        "accountkey= sharedaccesskey=",
        r"(?i:AccountKey|SharedAccessKey)=(?P<s>[A-Za-z0-9+/]{42,86}={1,2})",
    ),
    Shape(
        "azure-sas-signature",
        "Azure Storage: shared access signatures",
        "sig=",
        r"(?<![A-Za-z0-9])sig=(?P<s>[A-Za-z0-9%+/_-]{40,80}={0,2})",
    ),
    Shape(
        "azure-signed-key",
        "Azure: keys with a signature inside (Functions, Search, Cosmos DB, Batch)",
        "azfu azse acdb +ast +aba azca azdo",
        r"(?<![A-Za-z0-9])[\w+/-]{33,80}(?:AzFu|AzSe|ACDb|\+ASt|\+ABa|AzCa|AZDO)[\w+/-]{4,12}={0,2}",
        back=(76, 44, 42),
    ),
    Shape(
        "terraform-token",
        "HCP Terraform: API tokens",
        ".atlasv1.",
        r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}",
        back=(14,),
    ),
)
