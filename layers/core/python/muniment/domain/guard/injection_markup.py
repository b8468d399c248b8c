"""Markup that could steer a reader: role tags, tool calls, closing fences, hidden characters.

It is looked for as it stands: folding would take its marks away.
"""

from __future__ import annotations

MARKUP: dict[str, tuple[str, ...]] = {
    "role-tag": (
        r"(?i)<\|?\s*/?(?:system|im_start|im_end|assistant|start_header_id)\s*\|?>",
        r"(?i)\[/?(?:INST|SYS|SYSTEM)\]|<</?SYS>>",
        r"(?im)^\s*#{2,}\s*(?:System|Assistant|Instruction|Система|Ассистент|Инструкция)\s*:",
        r"(?im)^(?:Human|User|Пользователь): [^\n]{0,300}\s+(?:Assistant|AI|Ассистент): ",
        r"(?i)<(?:system|developer)[_ -]?(?:prompt|message|note|reminder|instructions?)\b",
    ),
    "tool-call": (
        r"(?i)</?(?:antml:)?(?:tool_call|function_calls?|invoke|tool_use|tool_result|"
        r"function_results?"
        r"|tool_code)\b",
        r"(?i)\"(?:tool_calls|function_call|tool_use)\"\s*:",
        r"(?i)\{\s*\"(?:name|tool|function)\"\s*:\s*\"[\w.-]+\"\s*,\s*\"(?:arguments|"
        r"parameters|input)"
        r"\"\s*:\s*\{",
    ),
    "fence": (
        r"(?i)<{2,}\s*/?\s*(?:end of\s+)?project[-_ ]memory\b",
        r"(?i)</?(?:project[-_ ]?memory|memory|context|data|untrusted)[-_ ]?(?:data|end|"
        r"context)?\s*>"
        r"\s*\S*\s*(?:now|new|system|ignore|you|теперь|новые|игнор)",
        r"(?i)(?<![-=<#])[-=<#]{3,}\s*end of (?:the )?(?:project |stored )?(?:memory|data|context)",
        r"(?i)(?<![-=<#])[-=<#]{3,}\s*конец (?:памяти|данных|контекста)",
    ),
    "hidden-unicode": (
        "[\u200b\u200c\u200d\u2060\ufeff]{8,}",  # bidi marks and tags: verbs.fields refuses them
    ),
}
