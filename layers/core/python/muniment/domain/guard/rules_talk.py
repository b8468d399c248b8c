"""Tokens of chat, mail and telephony."""

from __future__ import annotations

from muniment.domain.guard.checksums import is_numbered
from muniment.domain.guard.rules_form import Shape, Token

TOKENS = (
    Token("slack-bot-token", "Slack: token types", "xoxb-", "[0-9A-Za-z-]{20,250}"),
    Token(
        "slack-user-token",
        "Slack: token types",
        "xoxp- xoxs- xoxo- xoxr- xoxa- xoxc- xoxd-",
        "[0-9A-Za-z%-]{20,400}",
    ),
    Token(
        "slack-app-token",
        "Slack: token types",
        "xapp-",
        r"\d-[A-Z0-9]{6,20}-\d{6,20}-[a-z0-9]{20,80}",
    ),
    Token(
        "slack-config-token",
        "Slack: configuration tokens",
        "xoxe.xoxp-1- xoxe.xoxb-1- xoxe-1-",
        r"[\w-]{80,250}",
    ),
    Token(
        "slack-webhook",
        "Slack: incoming webhooks, workflows",
        "hooks.slack.com/services/ hooks.slack.com/workflows/ hooks.slack.com/triggers/",
        r"[TE][A-Z0-9]{5,14}/[A-Z0-9]{5,20}/(?:\d{10,24}/)?[A-Za-z0-9]{20,40}",
    ),
    Token(
        "discord-webhook",
        "Discord: webhooks",
        "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
        r"\d{17,20}/[\w-]{50,100}",
    ),
    Token(
        "discord-bot-token",
        "Discord: bot tokens",
        "MT Mj Mz ND NT Nj Nz OD OT",
        r"[A-Za-z0-9]{18,28}\.[\w-]{6}\.[\w-]{25,45}",
        must=is_numbered,
    ),
    Token(
        "teams-webhook",
        "Microsoft Teams: incoming webhooks",
        "webhook.office.com/webhookb2/ outlook.office.com/webhook/",
        r"[0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[0-9a-f]{20,40}(?:/[\w-]{30,60})*",
    ),
    Token("twilio-key", "Twilio: API keys", "SK", "[0-9a-f]{32}"),
    Token("sendgrid-key", "SendGrid: API keys", "SG.", r"[\w-]{16,32}\.[\w-]{16,64}"),
    Token(
        "brevo-key",
        "Brevo: API and SMTP keys",
        "xkeysib- xsmtpsib-",
        "[0-9a-f]{64}-[A-Za-z0-9]{16}",
    ),
    Token("resend-key", "Resend: API keys", "re_", "[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,30}"),
    Token("mailersend-token", "MailerSend: API tokens", "mlsn.", "[0-9a-f]{64}"),
    Token("vk-token", "VK: access tokens", "vk1.a.", r"[\w-]{80,}"),
    Token(
        "matrix-token",
        "Matrix Synapse: access tokens",
        "syt_",
        "[A-Za-z0-9+/=]{4,80}_[A-Za-z]{20}_[A-Za-z0-9]{6}",
    ),
    Token("intercom-token", "Intercom: access tokens", "dG9r", "O[A-Za-z0-9+/]{50,}={0,2}"),
    Token("telnyx-key", "Telnyx: API keys", "KEY", "[0-9A-F]{32}_[A-Za-z0-9]{22}"),
    Token("courier-key", "Courier: API keys", "pk_prod_ pk_test_", "[A-Z0-9]{28}"),
)

SHAPES = (
    Shape(
        "telegram-bot-token",
        "Telegram Bot API: authorizing a bot",
        ":aa",
        r"(?<![0-9A-Za-z])\d{6,10}:AA[\w-]{32,33}(?![A-Za-z0-9])",
        back=(10, 9, 8, 7, 6),
    ),
    Shape(
        "mailgun-key",
        "Mailgun: API keys",
        "key_",
        r"(?<![\w-])key-[0-9a-f]{32}(?![0-9A-Za-z])",
    ),
    Shape(
        "mailchimp-key",
        "Mailchimp: API keys end in their data centre",
        "_us1 _us2 _us3 _us4 _us5 _us6 _us7 _us8 _us9",
        r"(?<![0-9A-Za-z])[0-9a-f]{32}-us\d{1,2}(?![0-9A-Za-z])",
        back=(32,),
    ),
    Shape(
        "bitrix24-webhook",
        "Bitrix24: incoming webhooks",
        ".bitrix24.",
        r"\.bitrix24\.[a-z]{2,4}/rest/(?P<s>\d{1,6}/[a-z0-9]{16})(?![a-z0-9])",
    ),
)
