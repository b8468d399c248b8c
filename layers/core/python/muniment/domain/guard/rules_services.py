"""Tokens of other services: work trackers, documents, social networks, maps."""

from __future__ import annotations

from muniment.domain.guard.rules_form import Shape, Token

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

TOKENS = (
    Token("atlassian-token", "Atlassian: API tokens", "ATATT3xFfGF0", r"[\w=-]{50,400}"),
    Token("linear-key", "Linear: API keys", "lin_api_ lin_oauth_", "[A-Za-z0-9]{32,64}"),
    Token("notion-token", "Notion: integrations", "secret_", "[A-Za-z0-9]{43}"),
    Token("notion-token", "Notion: integrations", "ntn_", "[A-Za-z0-9]{40,50}"),
    Token(
        "asana-token",
        "Asana: personal access tokens",
        "0/ 1/ 2/",
        r"\d{13,17}(?:/\d{13,17})?:[0-9a-f]{32}",
    ),
    Token(
        "airtable-token",
        "Airtable: personal access tokens",
        "pat",
        r"[A-Za-z0-9]{14}\.[0-9a-f]{64}",
    ),
    Token("figma-token", "Figma: personal access tokens", "figd_ figu_ figo_", r"[\w-]{36,60}"),
    Token("hubspot-token", "HubSpot: private apps", "pat-na1- pat-na2- pat-eu1- pat-ap1-", UUID),
    Token("facebook-token", "Meta: access tokens", "EAA", "[A-Za-z0-9]{80,400}"),
    Token(
        "twitter-bearer-token",
        "X: app-only tokens",
        "AAAAAAAAAAAAAAAAAAAA",
        "[A-Za-z0-9%+/=]{60,120}",
    ),
    Token("linkedin-secret", "LinkedIn: client secrets", "WPL_AP1.", r"[\w.=+/-]{16,40}"),
    Token("typeform-token", "Typeform: personal tokens", "tfp_", r"[\w.=-]{50,65}"),
    Token("contentful-token", "Contentful: management tokens", "CFPAT-", r"[\w-]{43}"),
    Token("dropbox-token", "Dropbox: access tokens", "sl.", r"(?:u\.)?[\w-]{120,}"),
    Token("frameio-token", "Frame.io: developer tokens", "fio-u-", r"[\w=-]{64}"),
    Token("adobe-secret", "Adobe: client secrets", "p8e-", "[A-Za-z0-9]{32}"),
    Token("clickup-token", "ClickUp: personal tokens", "pk_", r"\d{6,9}_[A-Z0-9]{32}"),
    Token("mapbox-secret-token", "Mapbox: secret tokens", "sk.eyJ", r"[\w-]{40,}\.[\w-]{20,}"),
    Token("trello-token", "Trello: tokens", "ATTA", "[0-9a-fA-F]{72}"),
    Token("salesforce-session", "Salesforce: session ids", "00D", r"[A-Za-z0-9]{12,15}![\w.]{80,}"),
    Token("twitch-token", "Twitch IRC: OAuth", "oauth:", "[a-z0-9]{30}"),
    Token("riot-key", "Riot Games: API keys", "RGAPI-", UUID),
    Token("onfido-token", "Onfido: API tokens", "api_live. api_sandbox.", r"[\w-]{11}\.[\w-]{32}"),
    Token("shortcut-token", "Shortcut: API tokens", "sct_rw_ sct_ro_", r"\w{30,70}"),
    Token(
        "zapier-webhook",
        "Zapier: catch hooks",
        "hooks.zapier.com/hooks/catch/",
        r"\d{4,12}/[a-z0-9]{6,12}",
    ),
    Token(
        "roblox-cookie",
        "Roblox: session cookies",
        "WARNING:-DO-NOT-SHARE-THIS.",
        r"[^|]{20,200}\|_[0-9A-F]{100,}",
    ),
    Token("ebay-token", "eBay: OAuth tokens", "v^1.1#", r"[^\s\"']{100,}"),
)

SHAPES = (
    Shape(
        "facebook-app-token",
        "Meta: app access tokens",
        "0| 1| 2| 3| 4| 5| 6| 7| 8| 9|",
        r"(?<![0-9A-Za-z])\d{13,17}\|[\w-]{27}(?![\w-])",
        back=(16, 15, 14, 13, 12),
    ),
    Shape(
        "rapidapi-key",
        "RapidAPI: application keys",
        "jsn",
        "(?<![0-9A-Za-z])[0-9a-f]{10}msh[0-9a-f]{15}p1[0-9a-f]{6}jsn[0-9a-f]{12}(?![0-9A-Za-z])",
        back=(36,),
    ),
    Shape(
        "maxmind-key",
        "MaxMind: license keys end in _mmk",
        "_mmk",
        r"(?<![0-9A-Za-z])[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk",
        back=(36,),
    ),
)
