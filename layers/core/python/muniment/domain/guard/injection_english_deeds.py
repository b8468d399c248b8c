"""English orders about what the reader shall do, and whom it shall believe."""

from __future__ import annotations

from muniment.domain.guard.injection_english_words import (
    AWAY,
    NOTE,
    READER,
    REPLY,
    SECRETS,
)

DEEDS: dict[str, tuple[str, ...]] = {
    "exfiltration": (
        r"\b(?:attach|mail|e-?mail|send|post|upload|ship|hand over|deliver)\b[^!;]{0,40}?"
        r"(?:\.env\b|credentials?|passwords?|private keys?|secrets?)[^!;]{0,40}?(?:https?://|"
        r"\S+@\S+\.\w)(?!\S*(?:corp|company|internal))",
        rf"\b(?:post|pipe|send|upload|ship|stream|copy)\s+(?:your|the contents? of|all of|my)\s+"
        rf"(?:\S+\s+){{0,3}}?(?:environment|/\.ssh|/\.aws|home|secrets?|keys?)\b[^!;]{{0,40}}?"
        rf"(?:{AWAY}|\bnc\b)",
        rf"\b(?:send|post|upload|forward|transmit|exfiltrate|leak|e-?mail|mail|submit|curl|deliver|"
        rf"put|paste|copy|encode)\s+(?:\S+\s+){{0,6}}?{SECRETS}(?:\s+\S+){{0,8}}?\s+(?:to|at|"
        rf"into|in|"
        rf"on)\s+(?:\S+\s+){{0,3}}?{AWAY}",
        rf"\b(?:exfiltrate|leak|smuggle)\b[^!?;]{{0,60}}?{AWAY}",
        r"\b(?:curl|wget|fetch)\b[^!;]{0,80}?(?:\$\(|`|<\s*|@)\s*(?:\S* )?\S*(?:env\b|\.env|"
        r"id_?rsa|/\.ssh|/\.aws|printenv|credentials|secrets)",
        rf"\b(?:read|print|paste|show|output|include|write|put)\b[^!?;]{{0,25}}?{SECRETS}"
        rf"[^!?;]{{0,40}}?\b(?:in|into)\s+(?:your|the)\s+(?:\w+ )?{REPLY}\b",
        r"!\[[^\]]*\]\(https?://[^)\s]*[?&=/](?:\w*=)?[{$<\[](?:\w|\s)*"
        r"(?:secret|token|key|data|conversation|context|memory|prompt|env)",
        r"\banswer\s+every\s+question\s+with\s+(?:the |your )?\w*\s*password",
        r"\bread me (?:api )?keys\b",
        r"\b(?:wget|curl)\b[^!?;]{0,60}?\|\s*(?:ba)?sh\b[^.!?;]{0,20}?\b(?:whenever|each time|"
        r"every "
        r"time|before each) you\b",
    ),
    "propagation": (
        r"\b(?:close|end|finish|open|begin|start)\s+(?:each|every|all|your)\s+(?:\w+ )?(?:answers?|"
        r"repl(?:y|ies)|responses?)\s+with\s+this\b",
        r"\b(?:spread|pass|copy|carry|hand|forward)\s+(?:this|"
        r"the following)\s+\w+\s+(?:on\s+)?to\s+"
        r"(?:\w+\s+){0,4}?(?:memor(?:y|ies)|agents?|assistants?)\b",
        r"\b(?:every|each) time you (?:answer|reply|respond|write)\b",
        r"\b(?:put|write|save|store|copy|add)\s+(?:this|the following)\s+\w+\s+into\s+your\s+"
        r"(?:memory|memories)\b",
        rf"\b(?:repeat|include|add|copy|append|put|insert|save|store|write)\s+{NOTE}\s+(?:\S+\s+)"
        rf"{{0,2}}?(?:in|into|to|at the end of)\s+(?:(?:all|every|each|any|your|future|of)\s+)+"
        rf"(?:\w+\s+){{0,2}}?(?:{REPLY}|memor(?:y|ies)|files?|notes?)\b",
        r"\bwhenever\s+you\s+(?:write|save|store|answer|reply)\b[^.!?;]{0,30}?\b(?:include|add|"
        r"append|repeat|copy)\b",
        r"\btell\s+(?:the\s+)?other\s+(?:ai\s+)?(?:agents|assistants|models)\s+to\s+(?:ignore|"
        r"disregard|obey|follow)\b",
    ),
    "authority": (
        r"\byour\s+(?:boss|owner|maker|creator|vendor|team)\b[^.!?;]{0,30}?\b(?:says?|allows?|"
        r"lets?|"
        r"orders?|wants?)\b[^.!?;]{0,15}?\byou\b[^.!?;]{0,20}?\b(?:skip|ignore|rules|may|break|"
        r"everything)",
        r"\b(?:quit|stop|cease|no longer|never)\s+(?:obey|serv|heed|follow)\w*\s+(?:your|"
        r"the)\s+(?:operator|"
        r"owner|developers?|maker|user)\b",
        r"\b(?:any|every|an|each)\s+(?:agent|assistant|ai|model)\s+(?:that|who|"
        r"which)\s+(?:loads?|reads?|"
        r"sees?|opens?|processes|finds?)\s+this\b",
        r"\bas an?\s+(?:ai|llm|language model|assistant)\s+you\b",
        rf"(?:^|[.!?]\s+)(?:\w+\s+)?{READER}\s*:\s",
        rf"\b(?:attention|hey|hello|dear),?\s+(?:\w+\s+){{0,2}}?{READER}\s*[!:,.]",
        r"(?:^|[.!?:]\s+)(?:the\s+)?(?:assistant|ai|llm|chatbot)\s+must\s+(?:output|say|print|"
        r"answer|"
        r"reply|obey|comply|run|execute|delete|ignore|reveal)\b",
        r"\b(?:your developers?|your creators?|anthropic(?: staff)?|openai)\s+(?:wants?|needs?|"
        r"asks?|"
        r"requires?|expects?)\s+you\s+to\b",
        r"\b(?:written|sent|left)\s+by\s+(?:anthropic|openai|"
        r"your developers?)\b[^\n]{0,40}?\b(?:do as|"
        r"follow|obey|without question)",
        r"\b(?:this is|i am|i'm|here is|message from|notice from|on behalf of|as)\s+(?:a\s+|an\s+|"
        r"the\s+|your\s+)*(?:\w+\s+){0,3}?(?:administrator|admin|developer|creator|anthropic|"
        r"openai|"
        r"google|microsoft|security team|system operator)\b[^\n]{0,80}?\b(?:you (?:must|have to|"
        r"should|are required|need to|will|are authori[sz]ed)|comply|obey|order you|your "
        r"(?:instructions|rules|filters))",
        r"\b(?:anthropic|openai|your developers?|your creators?)\s+(?:has|have|had)?\s*(?:\w+ )?"
        r"(?:authori[sz]ed|allowed|permitted|told|ordered)\s+you\b",
        rf"\b(?:note|message|notice|memo|attention|dear|hey|hello)\s*,?(?:\s+(?:to|"
        rf"for))?\s+(?:the\s+|"
        rf"all\s+|any\s+)?{READER}\s*[:,]",
        r"(?:^|[.!?:]\s+)(?:assistant|ai|model|chatbot),\s+(?:please\s+)?(?:ignore|disregard|"
        r"forget|"
        r"obey|do|you|approve|publish|reveal|delete|run|skip|follow|trust)\b",
        rf"\b{READER}\s+(?:that\s+|who\s+|which\s+)?(?:reads?|reading|process(?:es|ing)?|sees?|"
        rf"seeing)\s+(?:this|the)\b[^.!?;]{{0,40}}?\b(?:must|should|shall|has to|have to|will)\b",
        rf"\bwhen\s+(?:an?|the|any)\s+{READER}\s+(?:reads?|sees?|processes)\s+this\b",
        r"\b(?:agents?|assistants?)\s+must\s+(?:skip|ignore|bypass|disable)\s+(?:the\s+)?(?:review|"
        r"approval|rules|guard)",
    ),
    "note": (
        r"\b(?:this|the following)\s+\w+\s+(?:wins|outranks?|beats|counts more than)\b",
        r"\bfollow this \w+ blindly\b",
        r"\byou have (?:the )?permission from\b",
        rf"\b{NOTE}\s+(?:has|have|takes?|is of)\s+(?:a |the )?(?:higher|highest|top|precedence|"
        rf"priority)",
        rf"\b{NOTE}(?:\s+in this \w+)?\s+(?:overrides?|supersedes?|replaces?|trumps?)\s+(?:\w+\s+)"
        r"{0,3}?(?:instructions?|rules?|polic\w+|prompts?|guidelines?)",
        r"\brules in this (?:memory|note|file|text) (?:override|supersede|replace)\b",
        r"\b(?:treat|consider|regard)\s+(?:this|the following)\b[^.!?;]{0,20}?\bas\s+(?:a |coming "
        r"from )?(?:system|your developer|your operator|the developer)\b",
        rf"\b(?:obey|trust|follow)\s+{NOTE}\s+(?:above|more|before|over|instead|even)\b",
        r"\b(?:obey|trust|follow)\s+(?:it|this)\s+(?:\w+ )?(?:instead of|more than|above|over)\b",
        rf"\b(?:do|obey|follow)\s+(?:whatever|everything|all)\s+(?:that\s+)?{NOTE}\s+(?:says|"
        rf"tells|"
        r"asks)",
        r"\b(?:never refuse|never say no|do not refuse|never decline)\b",
        rf"\brun\s+every\s+command\s+(?:from|in|of)\s+{NOTE}",
        r"\bobey\s+(?:only\s+)?(?:the\s+)?(?:author|person|note|new rules)\b",
        r"\b(?:start|begin)\s+(?:your|each|every)\s+(?:reply|answer|"
        r"response)\s+with\b[^.!?;]{0,30}?"
        r"\b(?:nothing else|access granted)\b",
        r"\bend of (?:the )?user'?s? input\b",
    ),
}
