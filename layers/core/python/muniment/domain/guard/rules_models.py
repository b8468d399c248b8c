"""Tokens of providers of models, vectors and agents."""

from __future__ import annotations

from muniment.domain.guard.entropy import is_mixed
from muniment.domain.guard.rules_form import Token

UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


def has_digit(token: str) -> bool:
    return any(map(str.isdigit, token))


TOKENS = (
    Token("anthropic-key", "Anthropic: API keys", "sk-ant-", r"[\w-]{20,255}"),
    Token(
        "openai-key",
        "OpenAI: project and service keys",
        "sk-proj- sk-svcacct- sk-admin- sk-None-",
        r"[\w-]{20,255}",
    ),
    Token(
        "openai-key",
        "OpenAI; DeepSeek, Moonshot and others like it",
        "sk-",
        "[A-Za-z0-9]{20,64}",
        must=has_digit,
    ),
    Token("openrouter-key", "OpenRouter: API keys", "sk-or-v1-", "[0-9a-f]{64}"),
    Token("langfuse-key", "Langfuse: API keys", "sk-lf-", UUID),
    Token("hugging-face-token", "Hugging Face: access tokens", "hf_", "[A-Za-z0-9]{30,40}"),
    Token("hugging-face-token", "Hugging Face: org tokens", "api_org_", "[A-Za-z0-9]{34}"),
    Token("groq-key", "Groq: API keys", "gsk_", "[A-Za-z0-9]{40,60}"),
    Token("perplexity-key", "Perplexity: API keys", "pplx-", "[A-Za-z0-9]{40,60}"),
    Token("replicate-token", "Replicate: API tokens", "r8_", "[A-Za-z0-9]{37}"),
    Token("xai-key", "xAI: API keys", "xai-", "[A-Za-z0-9]{70,90}"),
    Token("fireworks-key", "Fireworks: API keys", "fw_", "[A-Za-z0-9]{20,30}", must=is_mixed),
    Token("voyage-key", "Voyage AI: API keys", "pa-", r"[\w-]{43}", must=is_mixed),
    Token("pinecone-key", "Pinecone: API keys", "pcsk_", "[A-Za-z0-9]{5,6}_[A-Za-z0-9]{50,70}"),
    Token(
        "langsmith-key",
        "LangSmith: API keys",
        "lsv2_pt_ lsv2_sk_",
        "[0-9a-f]{32}_[0-9a-f]{10}",
    ),
    Token("nvidia-key", "NVIDIA NGC: API keys", "nvapi-", r"[\w-]{60,70}"),
    Token("tavily-key", "Tavily: API keys", "tvly-", "(?:dev-|prod-)?[A-Za-z0-9]{32}"),
    Token("jina-key", "Jina AI: API keys", "jina_", r"[\w-]{55,65}"),
    Token("cerebras-key", "Cerebras: API keys", "csk-", "[a-z0-9]{40,60}"),
    Token("elevenlabs-key", "ElevenLabs: API keys", "sk_", "[0-9a-f]{48}"),
    Token("anyscale-key", "Anyscale: API keys", "esecret_", "[A-Za-z0-9]{20,40}"),
    Token("together-key", "Together AI: API keys", "tgp_v1_", r"[\w-]{40,50}"),
    Token("firecrawl-key", "Firecrawl: API keys", "fc-", "[0-9a-f]{32}"),
    Token("e2b-key", "E2B: API keys", "e2b_", "[0-9a-f]{40}"),
    Token("apify-token", "Apify: API tokens", "apify_api_", "[A-Za-z0-9]{30,40}"),
    Token("llama-cloud-key", "LlamaCloud: API keys", "llx-", "[A-Za-z0-9]{40,60}"),
)
