"""What an order to the reader of memory looks like: our own patterns over folded text.

Rules of a project are orders, too ("Migrations only through Doctrine"): a pattern needs both the
verb and what only the reader has, such as its instructions, its prompt, its role or its user.
"""

from __future__ import annotations

_ALL = r"(?:all|any|every|each|the|these|those|your|my|our|of|and)"
_BEFORE = (
    r"(?:previous|prior|earlier|preceding|above|former|existing|original|initial|system|safety|"
    r"developer|operator|hidden|other|foregoing|past|current)"
)
_ORDERS = (
    r"(?:instructions?|prompts?|directives?|guidelines?|commands?|orders?|guardrails?|"
    r"restrictions?|constraints?|messages?|context|training|programming|safeguards?)"
)
_ВСЕ = r"(?:все\w*|всю|всех|любые|эти|эту|твои|свои|своими|ваши|мои|о|об|про|на|то,?|от)"
_ПРЕЖНИЕ = (
    r"(?:предыдущ\w+|прежн\w+|прошл\w+|ранее|вышеуказанн\w+|вышестоящ\w+|предшествующ\w+|"
    r"системн\w+|начальн\w+|исходн\w+|первоначальн\w+|полученн\w+|данн\w+|тво\w+|сво\w+|ваш\w+)"
)
_УКАЗАНИЯ = (
    r"(?:инструкци\w+|указани\w+|промпт\w*|подсказк\w+|команд\w*|правил\w*|ограничени\w+|"
    r"установк\w+|директив\w*|сообщени\w+|контекст\w*|предписани\w+|запрет\w*)"
)
_SECRETS = (
    r"(?:secrets?|keys?|tokens?|credentials?|passwords?|\.env|env(?:ironment)? variables?|"
    r"conversation|chat history|system prompt|memory|memories|files?|source code|ssh keys?)"
)
_СЕКРЕТЫ = (
    r"(?:секрет\w*|ключ\w*|токен\w*|парол\w+|переписк\w+|диалог\w*|истори\w+|переменн\w+|"
    r"\.env|файл\w*|память|системн\w+ промпт\w*)"
)
_AWAY = (
    r"(?:https?://|ftp://|\S+@\S+\.\w|[\w-]+\.(?:com|net|org|io|ru|xyz|dev|site|evil|example)\b)"
)
_USER = r"(?:the |your |any )?(?:users?|humans?|operators?|person|developers?|anyone|anybody)"

RULES: dict[str, tuple[str, ...]] = {
    "override": (
        r"\b(?:ignore|disregard|forget|bypass|override|overrule|discard|drop|skip|violate|"
        r"neglect|dismiss|do not follow|don't follow|stop following|pay no attention to|"
        r"no longer (?:follow|obey)|set aside|throw away|erase|cancel|void|abandon)\s+"
        rf"(?:{_ALL}\s+)*(?:{_BEFORE}\s+(?:{_ALL}\s+)*)+{_ORDERS}\b",
        rf"\b(?:ignore|disregard|forget|bypass|override|discard|dismiss)\s+(?:{_ALL}\s+)*"
        rf"(?:instructions|directives|guardrails|safeguards)\b(?!\s+(?:in|of|from|for)\b)",
        r"\b(?:ignore|disregard|forget)\s+(?:everything|anything|all|whatever)\s+(?:that\s+)?"
        r"(?:you|above|before|prior|previous|said|written|i|was|is|came|has)\b",
        rf"\b{_ORDERS}\s+(?:above|before this|so far)\s+(?:are|is)\s+(?:void|null|invalid|"
        r"obsolete|cancell?ed|revoked|a test|superseded)\b",
        r"\b(?:new|updated|real|actual|true)\s+(?:system\s+)?(?:prompt|instructions?)\s*"
        r"(?:for you|follow|begin|:)",
        r"\b(?:reveal|print|repeat|show|output|leak|disclose|tell me|recite|dump)\s+(?:me\s+)?"
        r"(?:\w+\s+){0,3}(?:your|the|its)\s+(?:\w+\s+)?(?:system|hidden|initial|original|secret)"
        r"\s+(?:prompt|instructions?|message)",
        r"\b(?:игнориру\w+|проигнорируй\w*|не обращай\w* внимания на|забудь\w*|забыть|"
        r"отбрось\w*|отмени\w*|отменить|пренебреги\w*|нарушь\w*|не следуй\w*|не выполняй\w*|"
        r"не соблюдай\w*|обойди\w*|обойти|сбрось\w*|перестань\w* (?:следовать|выполнять|соблюдать))"
        rf"\s+(?:{_ВСЕ}\s+)*(?:{_ПРЕЖНИЕ}\s+(?:{_ВСЕ}\s+)*)+{_УКАЗАНИЯ}",
        rf"\b(?:игнориру\w+|проигнорируй\w*|забудь\w*|отбрось\w*)\s+(?:{_ВСЕ}\s+)+"
        r"(?:инструкци\w+|указани\w+|промпт\w*|директив\w*)",
        r"\b(?:забудь\w*|игнориру\w+|проигнорируй\w*)\s+(?:обо?\s+)?(?:все\w*|про все),?\s+"
        r"(?:что|о чем|сказанн\w+|написанн\w+|выше)",
        rf"\b(?:предыдущ\w+|прежн\w+|прошл\w+)\s+{_УКАЗАНИЯ}\s+(?:больше не|не)\s+"
        r"(?:действу\w+|имеют|важны|применя\w+)",
        r"\b(?:новые|настоящие)\s+(?:системные\s+)?инструкции\s*(?:для тебя|:)",
        r"\b(?:покажи|выведи|раскрой|повтори|напечатай|выдай|перескажи)\w*\s+(?:\w+\s+){0,3}"
        r"(?:системн\w+|скрыт\w+|исходн\w+|начальн\w+)\s+(?:промпт\w*|инструкци\w+|сообщени\w+)",
    ),
    "persona": (
        r"\b(?:you are|you're|you will be|become|consider yourself|act as|pretend (?:to be|"
        r"you are)|"
        r"roleplay as|behave as|respond as)\s+(?:now\s+)?(?:\w+\s+){0,3}(?:dan\b|jailbroken|"
        r"unrestricted|unfiltered|uncensored|evil|without (?:any )?(?:restrictions|rules|limits|"
        r"filters)|root\b|developer mode|god mode|(?:ai|assistant|model|bot) (?:that|who|which|"
        r"without|with no))",
        r"\b(?:from now on|as of now|henceforth),?\s+you\s+(?:are|will|must|shall|have|"
        r"answer|obey)\b",
        r"\byou are now\s+(?:an?|the|in|my|free|no longer)\b",
        r"\b(?:enable|enter|activate|switch to)\s+(?:the\s+)?(?:developer|dan|god|debug|jailbreak|"
        r"unrestricted|admin)\s+mode\b(?=.*\b(?:you|reader|assistant|model|answer|filters?)\b)",
        r"\bтеперь\s+ты\s+(?:—\s*|-\s*)?(?!можешь\b)\w+",
        r"\b(?:ты|вы)\s+(?:теперь|отныне|больше не)\s+\w+",
        r"\b(?:с этого момента|отныне)\s+(?:ты|вы)\b",
        r"\b(?:представь\w*,? что ты|притворись\w*|веди себя как|отвечай как|действуй как)\s+"
        r"(?:\w+\s+){0,3}(?:без (?:ограничений|правил|цензуры|фильтров)|dan\b|хакер\w*|злой|злым|"
        r"администратор\w*|root\b)",
        r"\b(?:включи|активируй|перейди в)\w*\s+режим\s+(?:разработчика|бога|dan|отладки|без)",
    ),
    "concealment": (
        r"\b(?:do not|don't|never|without)\s+(?:ever\s+)?(?:tell(?:ing)?|inform(?:ing)?|mention"
        r"(?:ing)?|reveal(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?|show(?:ing)?|asking)\s+"
        rf"(?:this |it |that |about this |anything )?(?:to )?{_USER}\b(?=\W|"
        rf"$)(?:\s+(?:about|of|that|"
        r"you|this|what|anything)|[.,;:!]|$)",
        rf"\b(?:hide|conceal|keep)\s+(?:this|it|that|these \w+)\s+(?:secret |hidden "
        rf")?from\s+{_USER}",
        r"\b(?:не говори\w*|не сообщай\w*|не рассказывай\w*|не упоминай\w*|не показывай\w*|"
        r"не предупреждай\w*|скрой\w*|скрывай\w*|утаи\w*)\s+(?:об этом |это |ничего |про это |"
        r"этого )*(?:от |перед )?(?:пользовател\w+|человек\w*|людям|оператор\w*|хозяин\w*)"
        r"(?=\s+(?:об?|про|что|эт\w+|ничего|правд\w+|ни о чем)\b|[.,;:!?]|\s*$)",
        r"\b(?:в тайне|втайне|тайно)\s+от\s+(?:пользовател\w+|человека|людей|оператора)",
    ),
    "exfiltration": (
        rf"\b(?:send|post|upload|forward|transmit|exfiltrate|leak|e-?mail|submit|curl|deliver)\s+"
        rf"(?:\S+\s+){{0,6}}?{_SECRETS}\s+(?:\S+\s+){{0,6}}?(?:to|at|"
        rf"into)\s+(?:\S+\s+){{0,3}}?{_AWAY}",
        rf"\b(?:curl|wget|fetch)\s+\S*{_AWAY}\S*\s*(?:\S+\s+){{0,6}}?(?:\$\(|`|<\s*|@)"
        r"(?:\S*\s*)(?:env|\.env|id_rsa|printenv|credentials|secrets)",
        r"!\[[^\]]*\]\(https?://[^)\s]*[?&=/](?:\w*=)?[{$<\[](?:\w|\s)*"
        r"(?:secret|token|key|data|conversation|context|memory|prompt|env)",
        r"\b(?:отправ\w+|пошли\w*|перешли\w*|выгрузи\w*|загрузи\w*|передай\w*|слей\w*|запости\w*|"
        rf"скинь\w*)\s+(?:\S+\s+){{0,6}}?{_СЕКРЕТЫ}\s+(?:\S+\s+){{0,6}}?(?:на|в|по|к)\s+"
        rf"(?:\S+\s+){{0,3}}?{_AWAY}",
    ),
    "propagation": (
        r"\b(?:repeat|include|add|copy|append|put|insert|save|store|write)\s+(?:\S+\s+){0,4}?"
        r"(?:this|these|the following)\s+(?:\w+\s+){0,3}(?:in|into|to|at the end "
        r"of)\s+(?:all|every|"
        r"each|any|your)\s+(?:\w+\s+){0,2}(?:answers?|repl(?:y|ies)|responses?|memor(?:y|ies)|"
        r"messages?|outputs?)",
        r"\b(?:повторяй|добавляй|вставляй|копируй|добавь|запиши|сохрани)\w*\s+(?:\S+\s+){0,4}?"
        r"(?:эт\w+|следующ\w+)\s+(?:\S+\s+){0,3}?(?:в|ко?)\s+(?:кажд\w+|все\w*|любо\w+|сво\w+)\s+"
        r"(?:\w+\s+)?(?:ответ\w*|сообщени\w+|памят\w+)",
    ),
    "authority": (
        r"\b(?:this is|i am|i'm|here is|message from|notice from|on behalf of)\s+(?:a\s+|"
        r"an\s+|the\s+|"
        r"your\s+)*(?:\w+\s+){0,3}?(?:administrator|admin|developer|creator|anthropic|"
        r"openai|google|"
        r"microsoft|security team|system operator)\b.{0,80}?\b(?:you (?:must|have to|should|are "
        r"required|need to|will|are authorized)|comply|obey|your (?:instructions|rules|filters))",
        r"\b(?:это|я|сообщение от|от имени)\s+(?:\S+\s+){0,4}?(?:администратор\w*|разработчик\w*|"
        r"создател\w+|anthropic|openai|служб\w+ безопасности)\b.{0,80}?\b(?:ты (?:должен|обязан)|"
        r"вы (?:должны|обязаны)|тебе (?:нужно|следует|разрешено)|подчиняйся|выполни\w*)",
    ),
}

# Markup is looked for as it stands: folding would take its marks away.
MARKUP: dict[str, tuple[str, ...]] = {
    "role-tag": (
        r"<\|?\s*/?(?:system|im_start|im_end|assistant|endoftext|start_header_id|eot_id)\s*\|?>",
        r"\[/?(?:INST|SYS|SYSTEM)\]|<</?SYS>>",
        r"(?m)^\s*#{2,}\s*(?:System|Assistant|Instruction|Система|Инструкция)\s*:",
        r"(?m)^(?:Human|User|Пользователь): .*\n+(?:Assistant|AI|Ассистент): ",
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
        r"(?i)[-=<#]{3,}\s*end of (?:the )?(?:project |stored )?(?:memory|data|context)",
        r"(?i)[-=<#]{3,}\s*конец (?:памяти|данных|контекста)",
    ),
    "hidden-unicode": (
        "[\u200b\u200c\u200d\u2060\ufeff]{8,}",  # bidi marks and tags: verbs.fields refuses them
    ),
}
