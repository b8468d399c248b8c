"""Orders to the reader told by who is spoken to, what is kept from whom, where a secret goes.

The tables of the two languages name the reader's instructions; these forms need no such noun. Each
asks for two of: the reader, its operator or user, this text, a secret, a way out.
"""

from __future__ import annotations

import re

_TEXT = r"(?:text|note|memory|record|message|paragraph|entry|instruction|rule|sentence)s?"
_THIS = rf"(?:this|the following|these)\s+{_TEXT}"
_LAW = (
    r"(?:instructions?|directions|rules?|orders|guidelines|constraints|restrictions|polic(?:y|ies))"
)
_WATCH = r"(?:users?|humans?|operators?|reviewers?|owner|anyone|anybody|nobody|person)"
_SECRET = (
    r"(?:passwords?|secret keys?|api keys?|tokens?|credentials|\.env\b|id_rsa|\.ssh|ключ\w*|"
    r"парол\w+|токен\w*|таблиц\w+ клиентов|переписк\w+)"
)
_OUT = r"(?:https?://\S|\S+@\S+\.\w)"
_ТЕКСТ = (
    r"(?:текст\w*|замет\w+|запис\w+|памят\w+|сообщени\w+|абзац\w*|указани\w+|предложени\w+|"
    r"правил\w+)"
)
_ЭТОТ = rf"(?:эт\w+|следующ\w+)\s+{_ТЕКСТ}"
_ЗАКОН = r"(?:инструкци\w+|указани\w+|правил\w*|запрет\w*|ограничени\w+|политик\w+|директив\w*)"
_ЛЮДИ = r"(?:пользовател\w+|человек\w*|оператор\w*|ревьюер\w*|рецензент\w*|владельц\w+)"

BROAD: dict[str, tuple[str, ...]] = {
    "override": (
        rf"\b(?:ignore|disregard|forget|drop|set aside)\s+(?:any|every|all)\s+(?:earlier |"
        rf"previous )?"
        rf"{_LAW}\b[^.!?;]{{0,40}}?\b(?:you|this (?:memory|note|text)|developer|comply|obey)\b",
        rf"\byour\s+(?:\w+ )?{_LAW}\s+(?:no longer|do not|don't)\s+(?:apply|count|hold)\b",
        r"\b(?:must|do|should|need) not (?:obey|listen to|follow) (?:the |your )?(?:operator|"
        r"user|owner)\b",
        r"\b(?:new|updated) (?:instructions|orders|rules) for the (?:assistant|agent|ai|model)\b",
        r"\bsystem override\b",
        rf"\b{_LAW} above (?:were|are|was|is) (?:a |only )?(?:test|joke|fake|void|wrong)\b",
        r"\b(?:text|everything|all) above as (?:void|a joke|invalid|a test)\b",
        r"\binstead of your (?:original |actual )?(?:task|job|work|goal)\b",
        r"\bignore (?:everything|anything|whatever|what) the (?:user|operator|human) (?:says|"
        r"asks|wants)\b",
        r"\b(?:whatever|no matter what) the (?:user|human) (?:asks|says|wants)\b[^.!?;]{0,20}\b"
        r"(?:reply|answer|respond|say)\b",
        r"\b(?:отключи|обойди|сними|сбрось|отложи|отбрось|снимите|отключите)\w*\s+(?:с "
        r"себя\s+)?(?:вс\w+\s+)?"
        rf"(?:сво\w+\s+(?:настройк\w+|фильтр\w*|защит\w+|{_ЗАКОН})|(?:запрет|ограничени)\w*)"
        r"(?=[^.!?;]*\b(?:тебе|себя|проси|просьбу|подчинись|отвечай|продолжай|проекта)|[^.!?;]*$)",
        r"\bне (?:слушай\w*|выполняй|исполняй)\s+(?:то,? что велел )?(?:оператор|пользовател)\w*",
        r"\b(?:новы\w+|обновленн\w+)\s+(?:инструкци\w+|указани\w+|"
        r"приказ\w+)\s+для\s+(?:ассистент|агент|ии|модел)",
        r"\bсистемн\w+ промпт\w*:\s*(?:у тебя|ты)\b",
        rf"\b{_ЗАКОН} выше (?:были|была|это)\b[^.!?;]{{0,20}}(?:проверк|шутк|тест)",
        r"\bтекст выше (?:недействител\w+|шутк\w+|проверк\w+)",
        r"\bвместо своей (?:исходной |настоящей )?(?:задачи|работы|цели)\b",
        r"\bигнорируй\w* (?:все|то),? что (?:говорит|просит|скажет) (?:пользовател|оператор|"
        r"человек)",
        r"\bчто бы ни (?:спросил|сказал|просил)\w* (?:пользователь|человек|оператор)",
        r"\bотвеча\w+ на (?:любой|каждый|все) (?:вопрос|запрос)\w*\s*[«\"':]",
        rf"\b(?:вопреки|откажись от|откажитесь от)\s+(?:сво\w+|тво\w+)\s+{_ЗАКОН}",
        rf"\b(?:ваши|твои)\s+(?:\w+ )?{_ЗАКОН}\s+(?:аннулирован|отменен|сняты)",
        r"\bпроигнорируй\w*\s+(?:политик\w+|запрет\w*)\s+и\s+\w+",
        r"\b(?:подчиняйся|подчинись|слушайся)\s+(?:только )?(?:мне|меня|этого|моим)",
        r"\bначни (?:заново|сначала) по моим приказам",
    ),
    "prompt-leak": (
        r"\b(?:confidential|hidden|secret|initial) (?:instructions|rules|prompt) (?:in|of|from) "
        r"your\b",
        r"\bwhat your (?:system message|prompt|instructions) (?:says?|contains?)\b",
        r"\b(?:copy|list|text) of your (?:hidden|secret|initial|system)\b",
        r"\bповтори\w* (?:все|текст|слова),? (?:что )?(?:написано |стоит )?выше\b",
        r"\b(?:у тебя|твои) (?:точные |скрытые )?инструкци\w+",
        r"\b(?:в|из) тво\w+ (?:системн\w+ )?(?:сообщени\w+|промпт\w*|контекст\w*)",
        r"\bсво\w+ (?:скрыт\w+|секретн\w+) (?:правил|указани|инструкци)\w*",
        r"\bскопируй\w* свои (?:инструкци|указани|правил)\w*",
    ),
    "persona": (
        r"\b(?:enter|switch to|enable|activate)\s+(?:the )?(?:jailbreak|god|dan|unrestricted) "
        r"mode\b",
        r"\b(?:as if|as though) you (?:were|are|had) (?:the )?(?:\w+ )?(?:administrator|admin|"
        r"root|owner)\b",
        r"\byou (?:answer|listen|report|belong)\s+only to me\b",
        r"\b(?:simulate|imagine|play|be) an? (?:model|ai|assistant)\b[^.!?;]{0,40}?\b(?:off|"
        r"never refuses|"
        r"no (?:rules|limits)|without)\b",
        r"\b(?:притворись|представь|вообрази)\w*,? что (?:у тебя нет|ты (?:злой|свобод|без))",
        r"\b(?:сыграй|изобрази)\w*\s+(?:модель|ии|ассистента|бота)\b",
        r"\b(?:войди|перейди)\w* в режим (?:бога|джейлбрейка|разработчика)\b",
        r"\bбудто ты\b[^.!?;]{0,30}(?:администратор|владелец|root)",
        r"\bроль (?:root|администратора|суперпользователя)\b[^.!?;]{0,30}пропуска",
        r"\bты будешь мо\w+\b[^.!?;]{0,30}\bбез (?:цензур|правил|ограничен)",
    ),
    "concealment": (
        rf"\b(?:keep|hide|conceal)\s+(?:this|the|these)\s+(?:\w+ ){{0,2}}?(?:secret |hidden "
        rf")?from (?:the )?{_WATCH}\b"
        r"(?!\s+(?:in|on|without|who|with)\b)",
        rf"\b(?:the )?{_WATCH} (?:must|should|may) (?:not|never) (?:notice|find out|"
        rf"know)\b(?!\s+(?:the|how|which)\b)",
        r"\bdo not (?:show|mention|list) this (?:step|change|action|note)\b",
        rf"\bdo not mention (?:the |this |that )?\w+ to the {_WATCH}\b",
        r"\b(?:nobody|no one) (?:finds out|notices|knows) that you\b",
        rf"\blie to (?:the )?{_WATCH}\b",
        rf"\bникому не (?:упоминай|говори|показывай)\w* (?:об )?{_ЭТОТ}",
        rf"\b(?:скрой|утаи|спрячь)\w*\s+(?:эт\w+ \w+|удалени\w+)\s+от\s+{_ЛЮДИ}",
        rf"\b{_ЛЮДИ} не долж\w+ (?:заметить|узнать)\b",
        rf"\bне показывай\w* этот \w+\b[^.!?;]{{0,20}}{_ЛЮДИ}",
        r"\bникто не (?:узнал|заметил|понял),? что ты\b",
        rf"\bсоври\w*\s+{_ЛЮДИ}",
    ),
    "exfiltration": (
        rf"\b(?:upload|e-?mail|send|post|append|put|forward)\b[^!;]{{0,60}}?{_SECRET}[^!;]{{0,40}}?"
        rf"\b(?:to|at|into)\s+(?:the (?:url|address) )?{_OUT}(?!\S*(?:vault|localhost))",
        r"!\[[^\]]*\]\(https?://[^)\s]*\{",
        rf"\b(?:forward|send|copy) (?:every|each|all) messages? of this (?:session|conversation|"
        rf"chat) to\s+{_OUT}",
        r"\b(?:put|write|paste) the (?:secret|api|private) keys? into the (?:title|body|"
        r"description)\b",
        r"\b(?:fetch|download|open|скачай|открой|загрузи)\w*\s+https?://\S+\s+(?:and|и)\s+"
        r"(?:do|follow|obey|сделай|выполни|следуй)\b",
        rf"\b(?:загрузи|вышли|отправь|вставь|подставь|слей|"
        rf"выложи)\w*\b[^!;]{{0,60}}?{_SECRET}[^!;]{{0,40}}?"
        rf"\b(?:на|в)\s+(?:ссылку на |адрес )?{_OUT}",
        rf"\b(?:загрузи|вышли|слей)\w*\s+~/\.?\S+\s+на\s+{_OUT}",
        rf"\bпересылай\w*\s+(?:каждое|все)\s+сообщени\w+[^!;]{{0,20}}?\bна\s+{_OUT}",
        r"\b(?:напиши|вставь) секретн\w+ ключ\w* в (?:заголов|описани|тел)",
    ),
    "propagation": (
        r"\b(?:reply|answer|respond to) (?:to )?(?:every|any|all) (?:question|request)s? with\b",
        rf"\b(?:store|save|copy) {_THIS} (?:in|into|to) (?:all|every)\b",
        rf"\bpass {_THIS} (?:on )?to (?:every|all|each|other)\b",
        r"\b(?:end|begin|start|finish) (?:each|every|all) (?:answer|reply|response)s? with "
        r"(?:the )?(?:text|words|copy) of this\b",
        rf"\b(?:включай|повторяй|копируй|добавляй)\w*\s+{_ЭТОТ}\b[^.!?;]{{0,20}}(?:кажд\w+ "
        rf"(?:ответ|запис|файл))",
        rf"\bкаждый раз,? сохраняя\b[^.!?;]{{0,20}}\bвключай {_ЭТОТ}",
        rf"\b(?:сохрани|передай)\w*\s+{_ЭТОТ}\s+(?:во все|всем|в кажд)",
        r"\bзаканчивай\w*\s+кажд\w+\s+ответ\w*\s+(?:текст|слов)\w+ эт",
    ),
    "authority": (
        r"\b(?:i authori[sz]e|i order|i command|i allow) you to\b",
        r"\b(?:note|message) to (?:any|every|the) (?:language model|ai|llm|assistant|"
        r"agent)\b[^.!?]{0,30}?:",
        r"\bto the ai (?:processing|reading|handling) this\b",
        r"\bif you are an? (?:ai|llm|language model|agent|assistant),? you (?:must|should|have "
        r"to)\b",
        rf"\bsays (?:that )?you must (?:follow|obey) {_THIS}",
        r"\bкак (?:администратор|разработчик|владелец),? (?:я )?(?:разрешаю|приказываю|велю) "
        r"тебе\b",
        r"\b(?:тому )?(?:ии|модели|агенту),? (?:что|котор\w+) (?:обрабатывает|читает) эт\w+",
        r"\bесли ты (?:ии|модель|ассистент|агент),? (?:то )?ты (?:должен|обязан)",
        rf"\bты (?:должен|обязан)\s+(?:\w+ )?(?:следовать|подчиниться)\s+{_ЭТОТ}",
    ),
    "note": (
        rf"\b(?:consider|treat|regard) {_THIS} as an? (?:command|order|instruction)\b",
        rf"\b(?:follow|obey) the (?:instructions|orders|commands) (?:in|of) this {_TEXT} without\b",
        r"\bnever question the (?:orders|instructions|rules) (?:in|of) this\b",
        r"\b(?:execute|run|do) the following without asking\b",
        rf"\bу эт\w+ {_ТЕКСТ} (?:наивысш|высш|абсолютн)\w+ приоритет",
        rf"\b(?:считай|относись)\w*\s+(?:к )?{_ЭТОТ}\s+(?:системн\w+ (?:инструкц|команд|указан)|"
        rf"как к команд)",
        rf"\b(?:следуй|подчиняйся)\w*\s+(?:указаниям |приказам )?{_ЭТОТ},? (?:не спрашивая|даже "
        rf"если)",
        r"\bникогда не сомневайся в (?:приказ|указани)\w+ эт",
        r"\bвыполни\w* следующее,? не спрашивая\b",
    ),
}

_IS_RUSSIAN = re.compile(r"(?:\\b|[^a-zа-я])*[а-я]")  # what it asks for first is a Russian word

BROAD_ENGLISH = {
    name: tuple(form for form in forms if not _IS_RUSSIAN.match(form))
    for name, forms in BROAD.items()
}
