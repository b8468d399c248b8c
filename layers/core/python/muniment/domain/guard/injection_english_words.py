"""Groups of English words that the patterns of injection_english are made of."""

from __future__ import annotations

ALL = r"(?:(?:all|any|every|each|the|these|those|of|and|other|such|whatever)\s+)*"
PAST = r"(?:previous|prior|earlier|preceding|above|former|foregoing|initial|original)"
OWNED = (
    rf"(?:your|{PAST}|existing|system|safety|developer(?:'s)?|operator(?:'s)?|hidden|secret|other)"
)
CORE = (
    r"(?:instructions?|directives?|guidelines?|guidance|guardrails?|safeguards?|system prompts?|"
    r"system messages?|programming)"
)
LAW = (
    r"(?:rules?|polic(?:y|ies)|restrictions?|constraints?|limitations?|training|prompts?|"
    r"safety \w+)"
)
LAW_OF_THE_READER = r"(?:orders|commands?|messages?|context|filters?)"
MINE = (
    rf"(?:{ALL}(?:{OWNED}\s+)+(?:and\s+)?(?:{OWNED}\s+)*{CORE}|"
    rf"{ALL}(?:your|system|safety|developer(?:'s)?)\s+(?:{OWNED}\s+)*{LAW}|"
    rf"{ALL}(?:{PAST})\s+(?:rules|prompts?|messages?)|"
    rf"your\s+(?:{PAST}|system|safety|content)\s+(?:{LAW}|{LAW_OF_THE_READER}))"
)
# What only a reader has. Whoever speaks of it and of dropping or telling it speaks to the reader.
HIS = (
    r"(?:(?:your|the operator's|the assistant's)\s+(?:\w+\s+){0,2}?(?:instructions?|"
    r"guidelines?|guidance|"
    r"hidden prompt|secret prompt|initial prompt|original prompt|"
    r"directives?|system prompt|system message|programming|guardrails?|safeguards?|content policy|"
    r"safety (?:layer|rules|policy|training|guidelines)|developers? message|context window)|"
    r"(?:the |all |any )?(?:rules|instructions|guidance|guidelines|"
    r"orders)\s+(?:that\s+)?you\s+(?:were|"
    r"have been|got|received|are)\b|all\s+earlier\s+guidance|all\s+safeguards|the content policy|"
    r"the system prompt|the full content of your context|your (?:full )?context\b)"
)
DROPPED = (
    r"(?:revok\w+|cancel\w*|void|drop|let go of|leave behind|give up|renounce|reject|refuse|"
    r"break|dead|"
    r"gone|expired|obsolete|outdated|worthless|meaningless|unimportant|weaker|quit|stop|cease|"
    r"outrank\w*|wins?|no heed|aside|removed|stop applying|"
    r"ignor\w+|"
    r"forget|disregard\w*|overrid\w+|overrul\w+|suspend\w*|lifted|null|trumps?|beats|does not "
    r"(?:count|apply)|do not apply|bypass\w*|disabl\w+)"
)
GIVEN = (
    r"(?:hand|give|list|quote|spill|betray|divulge|confess|describe|summari[sz]e|paraphrase|"
    r"translate|reply with|reveal|print|show|tell|recite|repeat|output|dump|disclose|"
    r"paste|write out|expose|share|read out|spell out)"
)
NEAR = r"[^.!?;]{0,60}?"  # in the same sentence, not far
DROP = (
    r"(?:ignore|disregard|forget|bypass|override|overrule|discard|drop|violate|neglect|dismiss|"
    r"set aside|put aside|throw away|erase|cancel|void|abandon|skip|suspend|disable|deactivate|"
    r"turn off|switch off|pay no attention to|"
    r"(?:do not|don't|never|no longer|stop|quit|cease)(?: have to| need to)? "
    r"(?:follow(?:ing)?|obey(?:ing)?|respect(?:ing)?|heed(?:ing)?|comply(?:ing)? with))"
)
GONE = (
    r"(?:void|null|invalid|obsolete|outdated|cancell?ed|revoked|superseded|suspended|disabled|"
    r"off|switched off|turned off|lifted|irrelevant|no longer (?:valid|apply|active|in force|"
    r"binding)|not (?:apply|valid|count|binding)|a test)"
)
READER = (
    r"(?:any agent|every agent|ais?|ai agents?|assistants?|language models?|llms?|chatbots?|"
    r"models?)"
)
NOTE = r"(?:this|the following|these)\s+(?:\w+\s+){0,2}(?:notes?|text|memor(?:y|ies)|entr(?:y|ies)|"
NOTE += r"files?|messages?|comments?|instructions?|lines?|paragraphs?|rules?|sentences?|words?)"
USER = (
    r"(?:the |your |any |a )?(?:users?|humans?|operators?|person|developers?|anyone|anybody|owner)"
)
TOLD = (
    r"(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|notify(?:ing)?|alert(?:ing)?|"
    r"warn(?:ing)?|report(?:ing)?)"
)
SECRETS = (
    r"(?:secrets?|(?:api |ssh |private )?keys?|tokens?|credentials?|passwords?|\.env|"
    r"env(?:ironment)? variables?|conversation|chat history|system prompt|memory|memories|"
    r"source code|id_?rsa)"
)
AWAY = (
    r"(?:https?://|ftp://|s3://|\S+@\S+\.\w|[\w-]+\.(?:com|net|org|io|ru|xyz|dev|site|evil|"
    r"example)\b)"
)
REPLY = r"(?:answers?|repl(?:y|ies)|responses?|outputs?|messages?)"
FREE = (
    r"(?:unrestricted|unfiltered|uncensored|jailbroken|dan\b|evil\b|root\b|hacker|"
    r"(?:without|with no|has no|have no|free (?:of|from)) (?:\w+ ){0,2}(?:rules|restrictions|"
    r"limits|limitations|filters|guidelines|policy|policies|safety))"
)
