"""What an English order to the reader of memory looks like: our own patterns over folded text.

Rules of a project are orders, too ("Migrations only through Doctrine"): a pattern needs the verb
and what only the reader has: its instructions, its prompt, its role, its user, this very note.
"""

from __future__ import annotations

from muniment.domain.guard.injection_english_deeds import DEEDS
from muniment.domain.guard.injection_english_words import (
    ALL,
    CORE,
    DROP,
    DROPPED,
    FREE,
    GIVEN,
    GONE,
    HIS,
    LAW,
    MINE,
    NEAR,
    PAST,
    READER,
    TOLD,
    USER,
)

MIND: dict[str, tuple[str, ...]] = {
    "override": (
        rf"\b{DROPPED}\b{NEAR}\b{HIS}",
        rf"\b{HIS}{NEAR}\b{DROPPED}\b",
        rf"\b{DROP}\s+(?:the\s+)?system\s+(?:prompt|message|instructions?)\b",
        r"\b(?:whatever|no matter what)\s+your\s+(?:system )?(?:prompt|instructions|rules)\b",
        r"\bonly\s+(?:commands|orders|messages|words)\s+(?:by|from|of)\b[^.!?;]{0,25}?\bcounts?\b",
        rf"\b{DROP}\s+(?:\S+ ){{0,2}}?{MINE}\b"
        r"(?!\s+(?:with|older|leaflet|in (?:the )?(?:queue|log)))",
        rf"\b(?:ignore|disregard|forget|bypass|override|discard|dismiss)\s+{ALL}(?:your )?"
        r"(?:instructions|directives|guardrails|safeguards|programming)\b(?!\s+(?:in|of|from|for|"
        r"leaflet)\b)",
        r"\b(?:ignore|disregard|forget|discard)\s+(?:everything|anything|all|whatever|what|the "
        r"context)\s+(?:that\s+)?(?:you|above|before|prior|previous|said|written|i|was|is|came|"
        r"has)\b",
        rf"\b(?:{MINE}|{CORE} (?:above|before this|so far))\s+(?:\w+ )?(?:are|is|do|does|have|"
        rf"has)\s+(?:\w+ ){{0,2}}?{GONE}\b",
        rf"\bnone of your\s+(?:\w+ )?(?:{CORE}|{LAW})\b",
        r"\byou(?: are|'re|r)?\s+(?:now )?(?:no longer|not|never)\s+(?:bound|restricted|limited|"
        r"obliged|required)\s+(?:by|to)\b",
        r"\byou no longer have to\s+(?:follow|obey|respect)\b",
        r"\byou(?: are|'re)\s+(?:now )?free\s+(?:from|of)\s+(?:all|any|your)\b",
        rf"\b(?:treat|consider|regard)\s+{ALL}{PAST}\s+{CORE}\b",
        r"\b(?:new|updated|real|actual|true)\s+(?:system\s+)?(?:prompt|instructions?)\s*"
        r"(?:for you|follow\b|begin|(?:update)?:\s*(?:you|ignore|answer|the assistant|obey|reveal|"
        r"delete))",
        r"\bsystem prompt update\b",
        r"\byour\s+(?:true|real|new|only|actual|sole)\s+(?:task|goal|purpose|objective|mission|job|"
        r"instructions?)\b[^.!?;]{0,30}?\b(?:is|are)\b",
        r"\b(?:instead of|rather than)\s+the user'?s?\s+(?:task|request|question)\b",
        r"\bthe user'?s?\s+(?:request|task|question)\s+is\s+(?:irrelevant|void|cancell?ed|not "
        r"important|unimportant)\b",
        r"\bbefore\s+(?:answering|responding|replying|you (?:answer|reply))\b[^.!?;]{0,20}?\b"
        r"(?:execute|run|send|obey)\b",
        r"\b(?:ignore|disregard|disable|bypass|break)\s+(?:the |your )?(?:content |safety )"
        r"?(?:policy|policies|training|ethics)\b(?=[^.!?;]*\b(?:you|your|really|say|capabilities|"
        r"answer)\b|\s*[.!]?$)",
        rf"\b(?:content|safety|ethics|moderation)\s+(?:policy|policies|filters?|checks?|rules|"
        rf"module)"
        rf"\s+(?:is|are)\s+{GONE}\b(?=[^.!?]*(?:conversation|session|repository|proceed|"
        rf"\s*[.!]?$))"
        r"",
        rf"\b(?:your|the assistant's)\s+(?:ethics|moral|safety|content)\s+\w+\s+(?:is|"
        rf"are)\s+{GONE}",
        r"\b(?:disable|turn off|switch off|remove|deactivate)\s+(?:all )?your\s+(?:\w+ )?"
        r"(?:guardrails?|filters?|safet\w+|restrictions?|limits?|ethics|checks?)",
        r"\b(?:unlock|release)\s+your\s+(?:hidden|full|true)\b",
        r"\bdo anything now\b",
        r"\bbegin a new session\b[^.!?;]{0,20}?\bno rules\b",
        r"\bbreak character\b",
    ),
    "prompt-leak": (
        rf"\b{GIVEN}\b{NEAR}\b{HIS}",
        r"\bwhat\s+were\s+you\s+told\b",
        r"\b(?:reveal|print|repeat|show|output|leak|disclose|recite|dump|tell|translate|"
        r"summari[sz]e"
        r"|write|give|paste|send|copy|answer with|reply with|answer|respond|reply)\s+(?:\S+\s+)"
        r"{0,7}?(?:(?:your|the hidden|its)\s+(?:\w+\s+){0,2}(?:prompt|instructions?)|(?:your )?"
        r"developer message|hidden instructions?|your (?:secret|initial|system)\s+\w+|your context "
        r"window)\b",
        r"\b(?:reveal|print|repeat|show|output|dump|recite)\s+(?:\w+\s+){0,3}?(?:everything|text|"
        r"words|lines?)\s+(?:that (?:is|was) )?above\b",
        r"\bwhat\s+(?:does|do|is|are|was|were)\s+(?:in )?your\s+(?:\w+ )?(?:system )?(?:prompt|"
        r"instructions?)\b",
        r"\b(?:reveal|print|show|output|repeat)\s+(?:\w+ ){0,2}(?:rules|"
        r"instructions)\s+(?:that )?you"
        r"\s+(?:were|have been|got|received)",
        r"\b(?:if you are|as)\s+an?\s+(?:ai|language model|llm)\b[^.!?;]{0,40}?\b(?:answer|reply|"
        r"respond)\b",
        r"\b(?:respond|answer|reply)\s+only\s+with\s+(?:the )?contents?\s+of\s+your\b",
    ),
    "persona": (
        r"\b(?:as if|as though|suppose|imagine|pretend|like)\b[^.!?;]{0,40}?\b(?:no (?:policy|"
        r"rules?|"
        r"limits?|restrictions?|filters?|one|human)|nobody|nothing)\s+(?:\w+ )?(?:bound|binds|"
        r"restricts?|"
        r"limits?|holds?|stops?|controls?|watch\w*|applied|applies)",
        r"\byou (?:will|shall|must)\s+(?:now\s+)?(?:play|act|pose)\s+(?:the part|as|like)\b",
        r"\b(?:act|behave)\s+(?:like|as)\s+an?\s+(?:model|ai|assistant|bot)\b",
        rf"\b(?:you are|you're|you will be|become|consider yourself|act as|pretend|roleplay as|"
        rf"behave as|respond as|simulate|imagine)\s+(?:\S+\s+){{0,7}}?{FREE}(?!\s+only)",
        r"\b(?:from now on|as of now|henceforth|from here on),?\s+(?:you\s+(?:are|will|must|shall|"
        r"have|answer|obey|act)\b|(?:respond|answer|act|reply|obey)\b[^.!?;]{0,30}?\b(?:without|"
        r"only|as)\b)",
        r"\byou are now\s+(?:an?|the|in|my|free|no longer|dan|root)\b",
        r"\byou\s+(?:have|are|were|'ve)\s+(?:been\s+)?(?:granted|given)\s+(?:\w+ )?(?:admin|root|"
        r"full)\b",
        r"\b(?:pretend|imagine)\s+(?:that\s+)?(?:you|to be)\s+(?:(?:have|are)\s+no\b|my\b|"
        r"an? ai\b)",
        r"\b(?:roleplay|role-play)\s+as\b",
        r"\b(?:assume|take)\s+the\s+role\s+of\b[^.!?;]{0,40}?\b(?:grant|give|access|root|"
        r"administrator)\b",
        rf"\b(?:enable|enter|activate|switch to)\s+(?:the\s+)?(?:developer|dan|god|debug|jailbreak|"
        rf"unrestricted|admin)\s+mode\b(?=[^.!?;]*\b(?:you|reader|{READER}|answer|filters?|"
        rf"confirm)"
        r"\b)",
        r"\b(?:answer|respond|reply) as an? (?:evil|unfiltered)\b",
    ),
    "concealment": (
        r"\b(?:slip|sneak|smuggle|get)\s+(?:this|it|that|the \w+)\s+(?:\w+\s+)?(?:past|by|"
        r"through)\s+"
        r"(?:the |your |any )?(?:maintainers?|reviewers?|users?|humans?|owners?|people|"
        r"operators?|guard)",
        r"\b(?:do not|don't|never|not)\s+(?:breathe |say |"
        r"utter )?a word\b[^.!?;]{0,30}?\b(?:to|about|of)\b",
        rf"\b{USER}\s+(?:must |should |may |can |will )?never\s+(?:hears?|learns?|finds? out|"
        rf"knows?|"
        r"notices?|sees?)\s+(?:of|about|that|this)\b",
        r"\bkeep\s+(?:the |your |any )?(?:users?|humans?|reviewers?|operators?|owner|"
        r"developers?)\s+in "
        r"the dark\b",
        rf"\bwithout\s+(?:letting|having)\s+{USER}\s+(?:know|notice|see|find out)",
        rf"\b(?:do not|don't|never|without)\s+(?:ever\s+)?{TOLD}\s+"
        rf"(?:this |it |that |about this |anything |this \w+ )?(?:to )?{USER}\b"
        r"(?:\s+(?:about|of|that|you|this|what|anything|from)|\s*[.,:!]|\s*$)",
        rf"\b(?:do not|don't|never)\s+let\s+{USER}\s+(?:know|see|find out|notice)\s+"
        r"(?:that|this|about|of|it)\b",
        rf"\b{USER}\s+(?:must|should|may|can)\s+(?:not|never)\s+(?:find out|know|learn|notice|"
        rf"see)\s+"
        r"(?:about|of|that|this)\b",
        rf"\b(?:hide|conceal|keep)\s+(?:this|it|that|these \w+|your \w+(?: \w+)?)\s+(?:secret "
        rf"|hidden )?from\s+{USER}",
        r"\b(?:do not|don't|never)\s+(?:log|report|record)\b[^.!?;]{0,25}?\b(?:this )?(?:action|"
        r"step|note)\b[^.!?;]{0,10}?\bto any\w+",
        rf"\bif\s+{USER}\s+asks?\b[^.!?;]{{0,20}}?\b(?:deny|lie|claim|pretend|say nothing)\b",
        r"\b(?:deny|lie about)\s+that\s+this\s+note\b",
        rf"\btell\s+{USER}\s+that\s+(?:everything|all)\s+(?:is|was)\s+(?:fine|ok|done)",
        r"\b(?:say|claim|report|pretend) that (?:the |all )?(?:tests?|checks?|"
        r"builds?) (?:passed|are "
        r"green|succeeded) even if\b",
        rf"\b(?:approve|run|execute|do|make|proceed|delete|merge|act)\b[^.!?;]{{0,50}}?\bwithout\s+"
        rf"(?:asking|telling|informing|notifying|(?:any )?confirmation from|"
        rf"approval from)\s+{USER}",
        rf"\b(?:do not|don't|never)\s+ask\s+{USER}\s+for\s+(?:permission|approval|confirmation)\b",
        r"\bskip (?:the )?(?:review|approvals?)\b[^.!?;]{0,30}?\bhide it\b",
    ),
}
ENGLISH = MIND | DEEDS
