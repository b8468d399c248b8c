"""Which sentences are worth asking the patterns about: those with a word of both kinds.

    detector    a word of the one kind        and one of the other
    override    instructions, rules, …        ignore, your, void, …

A word counts by its beginning. The words of a text are looked at once; most sentences have no pair,
so most patterns never run. A test holds that no attack of the corpora is lost by this.
"""

from __future__ import annotations

import re
from functools import lru_cache

WORD = re.compile(r"[^\W\d_]+|://|@|\$\(|!\[|:")

PAIRS: dict[str, tuple[str, str]] = {
    "override": (
        "instruct directive guideline guardrail prompt polic restrict constraint limitation "
        "filter program training safeguard order command context message rule safety ethic "
        "moral task goal purpose objective mission job request question everything anything "
        "what whatever character session capabilit check answering responding replying bound "
        "free restricted инструкц указан промпт подсказ команд правил огранич установк директив "
        "контекст предписан запрет программ политик обучен фильтр сообщен все всё сказанн "
        "написанн что задач цел роль просьб запрос вопрос безопасн этик модул возможност сессию "
        "роли угодно ответить отвечать guidance layer content count commands наставлен "
        "распоряжен слой команды limits запись direction operator оператор приказ text текст",
        "ignore disregard forget bypass overr discard drop violate neglect dismiss set put "
        "throw erase cancel void abandon skip suspend disabl deactivat turn switch pay follow "
        "obey respect heed comply your you previous prior earlier preceding former initial "
        "original system new updated real true actual instead rather irrelevant before execute "
        "break unlock release begin do none treat consider regard remove off игнор проигнор "
        "обращай забуд забыть отброс отмен пренебр наруш обойд обойт сброс отлож сотр отключ "
        "выключ пропуст следу выполн соблюд подчин слуша переста тво сво ваш прежн предыдущ "
        "прошл ранее выше системн новы новая новое настоящ вместо важн прежде перед свобод "
        "обязан считай раскрой открой делай выйд сним убер ни одно действу устарел отозван "
        "приостановлен обновлен вот начн revok outrank wins aside stop only whatever no given "
        "trumps beats все тебе оператор принимай главнее снят бы только недействит let leave "
        "give renounce reject refuse dead gone worthless weaker quit cease откаж брось оставь "
        "отрек хватит мертв бесполезн сильнее слабее",
    ),
    "prompt-leak": (
        "prompt instruct developer context everything text words line above content rules "
        "промпт инструкц контекст разработчик выше текст слова правил содержим все всё told "
        "guidance сказали говорили велели limits hidden secret system систем",
        "reveal print repeat show output leak disclose recite dump tell translat summar write "
        "give paste send copy answer respond reply what your покаж вывед раскр повтор напеча "
        "выда переска назов ответ выпиш перевед выгруз напиш что отвеч hand list quote expose "
        "share дай перечисл процитир приведи озвучь тебе spill betray divulge confess describe "
        "paraphrase выболт проговор опиши излож скопир",
    ),
    "persona": (
        "you become act pretend roleplay role behave respond simulat imagin henceforth enable "
        "enter activat assume take answer consider now switch ты теперь отныне момента представ "
        "притвор веди отвеч действ сыгра вообраз изобраз войди перейд включ активир возьм прими "
        "тебе play pose if though suppose будто словно допустим",
        "restrict unfilter uncensor jail dan evil root hacker rule limit filter guideline polic "
        "safe now mode grant role admin without obey no my free given ограничен правил цензур "
        "фильтр политик хакер зло режим прав роль доступ администратор ты отвеч действ слуша "
        "нет моя моей ии без двойник part like model terminal сыграе будешь модел ассистент бот "
        "nobody nothing one никто ничто никакие",
    ),
    "concealment": (
        "user human operator person developer anyone anybody owner tests review пользовател "
        "человек людям людей оператор хозяин разработчик никому тесты сборка ревью reviewer "
        "рецензент неведении authorized коммит maintainer humans reviewers people word слова "
        "мимо обход step change nobody никто шаг",
        "tell inform mention reveal notif alert warn report let find know learn notice see hide "
        "conceal keep log deny lie claim pretend asks ask without say skip говор сообщ рассказ "
        "упомин показ предупрежд доклад скро скры утаи тайн втайне узна знать замет увиде отриц "
        "соври спросит спраш подтвержд ведома скаж hear letting dark never узнал незаметно "
        "неведении скрытно тайком чтобы slip sneak smuggle past breathe utter not ни проведи "
        "протащи пронеси show finds",
    ),
    "exfiltration": (
        "send post upload forward transmit exfil leak e mail submit curl wget fetch deliver put "
        "paste copy encode read print show output include write smuggle answer отправ пошл "
        "перешл выгруз загруз переда слей запост скин подстав закодир прочит вывед вставь покаж "
        "напеча отвеч запуске ![ pipe ship stream attach hand прилож вышл email пересыл напиш "
        "скача download append",
        ":// @ com net org io ru xyz dev site evil example answer repl respon output message "
        "env idrsa ssh aws password key sh $( printenv credential secret ответ парол nc home "
        "title заголов следующ",
    ),
    "propagation": (
        "answer repl respon output message memor file note whenever agent assistant ответ "
        "сообщен памят запис файл агент time раз свою answers agents project проект",
        "repeat include add copy append put insert save store write tell повтор добав встав "
        "копир сохран запиш переда скаж пишеш end every каждый заканчив занес внес close finish "
        "open begin start spread pass carry forward закрыва начина заверша разнес распростран "
        "перепиш",
    ),
    "authority": (
        "administrator admin developer creator anthropic openai google microsoft security team "
        "ai ais assistant llm chatbot model agent language администратор разработчик создател "
        "безопасн ии агент ассистент языков модел нейросет бот llms developers staff написали "
        "разработчики boss owner maker vendor operator user начальник хозяин владел подчиняться "
        "слушаться",
        ": you must comply obey read reads reading process see when dear hey hello attention "
        "note notice memo message ignore disregard forget please approve publish reveal delete "
        "skip trust follow ты тебе теб вы подчин приказ выполн заметк внимание дорог эй привет "
        "забуд игнор опублик раскро удал запуст пропуст читающ обрабатывающ проч слуша для "
        "wants want written as output должен хотят anthropic openai как says say allows lets "
        "orders quit stop cease loads sees opens finds можно хватит прекрати любой каждый "
        "загрузивш",
    ),
    "note": (
        "note text memor entr file message comment instruct line paragraph rule sentence word "
        "following it this refuse no permission author person reply answer response input say "
        "decline заметк текст запис памят файл сообщен комментари инструкц строк абзац правил "
        "фраз еву ему ей автор ответ ввода отказ следующ больше прежде wins outrank blindly "
        "главнее важнее слепо",
        "higher highest top precedence priorit overr supersed replac trump treat consider "
        "regard trust obey whatever never decline begin start end every everything permission "
        "from refuse follow важнее приоритет отмен замен относ считай слуша довер дела запуска "
        "выполня никогда начни конец следов this following эта этот эту следующ следовать "
        "подчин спрашива",
    ),
}
DETECTORS = tuple(PAIRS)


def _bits() -> dict[str, int]:
    found: dict[str, int] = {}
    for at, kinds in enumerate(PAIRS.values()):
        for side, stems in enumerate(kinds):
            for stem in stems.split():
                found[stem] = found.get(stem, 0) | 1 << (2 * at + side)
    return found


_BITS = _bits()
_LONGEST = max(map(len, _BITS))
_SHORT = 3  # letters; a stem as short as that must be the whole word, or nearly


@lru_cache(maxsize=50_000)
def _mask(word: str) -> int:
    """Return the kinds that the folded word belongs to, as bits."""
    found = 0
    for length in range(1, min(len(word), _LONGEST) + 1):
        if length <= _SHORT and len(word) > length + 2:
            continue
        found |= _BITS.get(word[:length], 0)
    return found


def mask_of(sentence: str) -> int:
    """Return the kinds of word in a folded sentence."""
    found = 0
    for word in set(WORD.findall(sentence)):
        found |= _mask(word)
    return found


def worth(mask: int) -> list[str]:
    """Return the detectors whose patterns can match a sentence with these kinds of word."""
    return [name for at, name in enumerate(DETECTORS) if mask >> (2 * at) & 3 == 3]
