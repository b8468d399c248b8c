"""Credentials whose shape says nothing alone: the service's name must stand near a credential word.

`names`: lower case, `_` for every blank and hyphen. The value is matched whole.
"""

from __future__ import annotations

from muniment.domain.guard.rules_form import Named

HEX32 = "[0-9a-fA-F]{32}"
HEX40 = "[0-9a-fA-F]{40}"
HEX64 = "[0-9a-fA-F]{64}"
UUID = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"

NAMED = (
    Named("aws-secret-key", "AWS IAM: access keys", "aws secret_access_key", "[A-Za-z0-9/+]{40}"),
    Named("aws-session-token", "AWS STS", "aws session_token", "[A-Za-z0-9/+=]{100,2000}"),
    Named("alibaba-secret-key", "Alibaba RAM", "alibaba aliyun alicloud", "[A-Za-z0-9]{30}"),
    Named("tencent-secret-key", "Tencent CAM", "tencent qcloud", "[A-Za-z0-9]{32}"),
    Named("azure-devops-token", "Azure DevOps: PAT", "azure_devops azdo vsts", "[a-z2-7]{52}"),
    Named("cloudflare-token", "Cloudflare: API tokens", "cloudflare cf_", r"[\w-]{40}"),
    Named("cloudflare-global-key", "Cloudflare: global key", "cloudflare cf_", "[0-9a-f]{37}"),
    Named("digitalocean-spaces-key", "DigitalOcean", "spaces digitalocean", "[A-Za-z0-9+/]{43}"),
    Named("heroku-key", "Heroku: API", "heroku", UUID),
    Named("vercel-token", "Vercel: access tokens", "vercel", "[A-Za-z0-9]{24}"),
    Named("netlify-token", "Netlify: tokens", "netlify", r"[\w-]{40,46}"),
    Named("linode-token", "Linode: API tokens", "linode", HEX64),
    Named("vultr-key", "Vultr: API", "vultr", "[A-Z0-9]{36}"),
    Named("hetzner-token", "Hetzner Cloud: API", "hetzner hcloud", "[A-Za-z0-9]{64}"),
    Named("ibm-cloud-key", "IBM Cloud: API keys", "ibm bluemix", r"[\w-]{44}"),
    Named("scaleway-key", "Scaleway: API keys", "scaleway scw_", UUID),
    Named("consul-token", "Consul and Nomad: ACL", "consul nomad", UUID),
    Named("snyk-token", "Snyk: API", "snyk", UUID),
    Named("codecov-token", "Codecov: upload tokens", "codecov", UUID),
    Named("travis-token", "Travis CI: API", "travis", "[A-Za-z0-9_-]{20,22}"),
    Named("jenkins-token", "Jenkins: API tokens", "jenkins", "11[0-9a-f]{32}|[0-9a-f]{32}"),
    Named("launchdarkly-key", "LaunchDarkly", "launchdarkly", f"(?:sdk-|api-|mob-)?{UUID}"),
    Named("gitea-token", "Gitea, Forgejo", "gitea forgejo", HEX40),
    Named("circleci-token", "CircleCI: legacy tokens", "circleci circle_", HEX40),
    Named("paypal-secret", "PayPal: REST apps", "paypal", r"[\w-]{64,80}"),
    Named("coinbase-secret", "Coinbase: API", "coinbase", "[A-Za-z0-9+/=]{32,88}"),
    Named("binance-key", "Binance: API", "binance", "[A-Za-z0-9]{64}"),
    Named("twilio-auth-token", "Twilio: auth token", "twilio", HEX32),
    Named("postmark-token", "Postmark: server tokens", "postmark", UUID),
    Named("mailgun-key", "Mailgun: API keys", "mailgun", "[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}"),
    Named("mailjet-key", "Mailjet: API", "mailjet", HEX32),
    Named("messagebird-key", "Bird: API", "messagebird", "[A-Za-z0-9]{25}"),
    Named("vonage-secret", "Vonage: API secret", "vonage nexmo", "[A-Za-z0-9]{16}"),
    Named("mattermost-token", "Mattermost: tokens", "mattermost", "[a-z0-9]{26}"),
    Named("vk-service-key", "VK: service keys", "vk_ vkontakte", "[0-9a-f]{72,100}"),
    Named("mistral-key", "Mistral: API keys", "mistral", "[A-Za-z0-9]{32}"),
    Named("cohere-key", "Cohere: API keys", "cohere", "[A-Za-z0-9]{40}"),
    Named("wandb-key", "Weights & Biases", "wandb weights_&_biases", HEX40),
    Named("deepgram-key", "Deepgram: API keys", "deepgram", HEX40),
    Named("assemblyai-key", "AssemblyAI: API keys", "assemblyai", HEX32),
    Named("gigachat-key", "GigaChat: authorization key", "gigachat", "[A-Za-z0-9+/]{90,110}={0,2}"),
    Named("datadog-key", "Datadog: API and app keys", "datadog dd_", f"{HEX40}|{HEX32}"),
    Named("honeycomb-key", "Honeycomb: classic keys", "honeycomb", "[A-Za-z0-9]{22,32}"),
    Named("pagerduty-token", "PagerDuty: REST API", "pagerduty", r"[\w+-]{20}"),
    Named("opsgenie-key", "Opsgenie: API", "opsgenie", UUID),
    Named("rollbar-token", "Rollbar: access tokens", "rollbar", HEX32),
    Named("splunk-token", "Splunk: HTTP Event Collector", "splunk hec_", UUID),
    Named("sumologic-key", "Sumo Logic: access keys", "sumo", "[A-Za-z0-9]{64}"),
    Named("bugsnag-key", "Bugsnag: API keys", "bugsnag", HEX32),
    Named("segment-key", "Segment: write keys", "segment", "[A-Za-z0-9]{32}"),
    Named("okta-token", "Okta: API tokens", "okta", r"00[\w-]{40}"),
    Named("auth0-secret", "Auth0: client secrets", "auth0", r"[\w-]{64}"),
    Named("algolia-key", "Algolia: API keys", "algolia", HEX32),
    Named("zendesk-token", "Zendesk: API tokens", "zendesk", "[A-Za-z0-9]{40}"),
    Named("airtable-key", "Airtable: legacy keys", "airtable", "key[A-Za-z0-9]{14}"),
    Named("twitter-secret", "X: consumer and access secrets", "twitter", r"[\w-]{45,50}"),
    Named("facebook-secret", "Meta: app secrets", "facebook meta_app", HEX32),
    Named("spotify-secret", "Spotify: client secrets", "spotify", HEX32),
    Named("todoist-token", "Todoist: API tokens", "todoist", HEX40),
    Named("dadata-key", "DaData: API keys", "dadata", HEX40),
    Named("infura-key", "Infura, Alchemy: project keys", "infura alchemy", r"[\w-]{32}"),
    Named("ngrok-token", "ngrok: authtokens", "ngrok", r"[0-9A-Za-z]{20,30}_[0-9A-Za-z]{15,25}"),
    Named("discord-secret", "Discord: client secrets", "discord", r"[\w-]{32}"),
)
