"""Other works: whether a reference is to this book, or to what is named beside it or above it.

A reference is another work's if a citation, a title, an author, an edition or an outside link says so: in the same
sentence before it, or right behind it. It speaks of another state of this book if it stands below a heading that
announces changes, errata or plans, or in the column of another edition. In doubt it is not this book's, for nothing is
said of such a reference but that it was not checked.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from lintbook.parse.blocks import BlockKind, TextBlock
from lintbook.patterns import regex
from lintbook.vocabulary import DIVISIONS, ERRATA, KINDS, is_errata_page

_REACH = 160  # characters before a reference that are looked at
_NEAR = 80  # … for what must stand right before it

# ── names ────────────────────────────────────────────────────────────────────────────────────────────────

# An author, a title, an acronym: Rudin, Szepesvári, CLRS, C++. A single letter is a variable, `Ch3` a chapter. What
# lies beyond Latin-1 is apart: in one class with the rest it would take a millisecond to compile.
_NAME = r"(?<![A-Za-zÀ-ÿ\d])(?!Ch\d|.[\d–-])(?:[A-ZÀ-Þ]|[Ā-Ž])(?:[A-Za-zÀ-ÿ\d+]|[Ā-ɏ]|[–-](?=[A-Za-z\d]))+"
_CAPITAL = r"[A-Z][\w-]+"  # where more says that it is a name
_YEAR = r"(?:19|20)\d\d[a-z]?"
_ORDINAL = r"(?:first|second|third|fourth|fifth|\d+(?:st|nd|rd|th))"

# Capitalised words that are no names: they begin a sentence or a title, or tell which of this book's boxes is meant.
_PARTICLES = """
    about above across after again all along also although an and any apart around as at because before behind below
    beside besides between beyond both but by contrary despite do does due during each either else even every except
    few finally first following for formally from further furthermore given hence her here his how however if in
    indeed informally instead into is it its last lastly later less like likewise many meanwhile more moreover most
    much namely near neither nevertheless next no none nor not nothing notice now of off on once one only onto or
    other otherwise our out over per perhaps plus possibly qed rather recall respectively same second see since so
    some still such than that the their them then there therefore these they third this those though three through
    throughout thus to together toward towards two under unless unlike until up upon use versus via was we were what
    when whence whenever where whereas wherever whether which while who whose why with within without yet you your
"""
_VERBS = """
    adapt add align analyse analyze answer apply argue assess assume call can check choose cite combine compare
    complete compute conclude consider construct contrast convert could criticize deduce define derive describe
    determine discuss draw establish estimate evaluate examine exhibit explain explore express extend fill find
    finish fix follow formulate generalise generalize give go have identify illustrate implement improve infer
    interpret invoke iterate justify keep know learn let look make match may might modify motivate must name
    note observe obtain outline plug prove provide put quote read realize recheck recover redo reformulate
    refute relate remember repeat rephrase replace reproduce reprove require reread restate reuse review revise
    revisit rewrite run say shall sharpen should show simplify sketch skip solve specialize start state
    strengthen study substitute suggest summarize suppose take tell test try turn understand update verify view
    weaken will work would write
"""
_QUALIFIERS = """
    additional advanced alternative analogous auxiliary basic bonus box case central challenge classical core
    corresponding crucial equation extended figure formal fundamental general generalized hint important informal
    key main optional part practice preceding preliminary proof question running simple solution special standard
    step strong supporting table technical volume weak week worked working
"""
_NO_NAMES = frozenset((_PARTICLES + _VERBS + _QUALIFIERS).split()) | {
    word.rstrip(".").lower() + ending
    for words in (*(kind.words for kind in KINDS), *(division.before for division in DIVISIONS))
    for word in words
    if word.isascii()
    for ending in ("", "s")
}
# Behind these a name is what the sentence, or a title of this book, is about: “the Central Limit Theorem 2.4”.
_ARTICLES = frozenset({"the", "a", "an", "our", "this", "that", "these", "its", "each", "every"})
_ABOUT = frozenset(
    {"by", "via", "for", "under", "with", "without", "on", "given", "if", "when", "unlike", "using", "beyond"}
)

_CHINESE_WORK = r"(?:教科书|书|教材|讲义|课件|教程|手册|文档|论文|文章|专著|标准|规范|白皮书)"
_OWNER = regex(
    rf"(?:\b(?P<lead>[A-Za-z]+)\s+)?(?P<run>{_NAME}(?:\s+(?:&\s*)?{_CAPITAL}){{0,5}})"
    rf"(?P<possessive>['’]s?)?(?:\s+et al\.?)?(?:[ ,]{{1,2}}{_YEAR}|\s\d{{3,5}})?"
    rf"(?P<title>\s+(?:project|reference|guide|standard|spec))?(?:\s*等人?)?"
    rf"(?:\s*{_CHINESE_WORK})?[中里]?\s*[的之]?(?P<comma>[,，])?\s*(?:\[[^\[\]]{{0,40}})?$"
)


def _has_owner(before: str) -> bool:
    """Whether the name of a work or author stands right before a reference: `Rudin, `, `CLRS `, `Durrett 书中的`."""
    match = _OWNER.search(before[-_NEAR:])
    if match is None:
        return False
    words, lead = match["run"].replace("&", " ").split(), (match["lead"] or "").lower()
    if words[-1].lower() in _NO_NAMES or (len(words) == 1 and words[0].endswith(("ing", "ly"))):
        return False
    if match["possessive"] or match["title"]:
        return True
    return lead not in _ARTICLES and not (match["comma"] and lead in _ABOUT)


# ── beside a reference ───────────────────────────────────────────────────────────────────────────────────

# The key of a work in a list of references: [12], [Rud76], [ABC+19]; or one that pandoc takes for such.
_KEY = r"(?:\d{1,3}|[A-Z][A-Za-z]*\+?\d{2,4}[a-z]?|-?@[\w:.#$%&+?<>~/-]+)"
_WORK = (
    r"(?:text)?(?:book|notes|monograph|paper|article|thesis|treatise|lectures|tutorial|manual|handbook|documentation"
    r"|standard|specification)\b"
)
_EDITION = (
    rf"(?:(?:{_ORDINAL}|previous|earlier|older|old|original|former|prior)\s+(?:editions?|printings?|drafts?)"
    r"|print(?:ed)?\s+(?:edition|version))"
)
_EARLIER = rf"(?:{_ORDINAL}|previous|earlier|older|old|former|prior)\s+versions?"
_PAST = r"\b(?:was|were|is|are|had|called|numbered|appear\w*)\b"
# What says, in the same sentence before a reference, that it is another work's.
_BEFORE = regex(
    r"\[@[^\]]*$"  # inside a citation
    rf"|\[{_KEY}[,，;；][^\]]*$"
    rf"|\[{_KEY}(?:[,，;]\s*{_KEY}){{0,5}}\]\s*[,，]?\s*[(（]?(?:see\s+)?(?:的|中的?|里的?|之|の)?\s*$"
    r"|(?<![\w@])-?@[A-Za-z][\w:-]*,?\s*[(（\[]?$"  # pandoc's citation without brackets
    r"|\d+\s*页[^。]*$|\bp+\.\s*\d+[^.。]*$"
    rf"|[(（\[]{_CAPITAL}(?: et al\.?|(?:,? (?:and|&) {_CAPITAL})*),? {_YEAR}[,;][^)\]）]*$"
    rf"|{_CAPITAL} & {_CAPITAL}\s*[(（]$"
    r"|\b(?:[Hh]is|[Hh]er|[Tt]heir)\s+$"
    r"|\b(?:[Ii]bid|[Oo]p\.\s?cit|[Ll]oc\.\s?cit)\.?,?\s*$"
    r"|\A\[ \]\s*$"  # a section that is still to be written
    r"|(?:\\cite\w*\{[^}]*\}|《[^》]*》"
    rf"|(?:et al\.?|and {_CAPITAL}|{_CAPITAL})\s*[\[(（]{_YEAR}[\])）]"
    rf"|(?<![A-Za-z]){_CAPITAL}['’]s?\s+(?:[\w-]+\s)?{_WORK}"
    rf"|(?<![A-Za-z])(?!(?:The|This|These|Those|Our|My|Your|Lecture|Course|Class)\b){_CAPITAL}\s+{_WORK}"
    rf"|{_WORK}\s+(?:by|of)\s+{_CAPITAL}|\b[Ii]n\s+{_CAPITAL},?\s+(?:it|this|that)\s+(?:is|was|appears)\b"
    rf"|\b{_EDITION}\b|\b{_EARLIER}\b(?=[^.;]*{_PAST})|\bversion\s+\d+(?=[^.;]*\b(?:was|were|called|numbered)\b))"
    r"(?:[^.。；;]|(?<=[A-Za-z])\.(?=\s?\d))*$"  # a full stop in `Ch.2` ends no sentence
    r"|(?:他书|原书|原文|该书|该文|母本|官方文档|the paper|the original)[^。，,；;]{0,12}$"
    r"|(?<![本此这])(?:教材|讲义|论文)[^。，,；;]{0,12}$|(?<![本全此这在见看由从于])书[中里]?的?\s*$"
    rf"|[（(]{_YEAR}[)）]\s*(?:书?[中里]?的?|之)\s*$"
    r"|(?:第\s*[一二三四五六七八九十\d]+|[旧初首原老]|(?<![当目])前|上一|早期|印刷|纸质)版[^。；;]{0,14}$"
    r"|\bv\d+(?:\.\d+)*\s*[中里版][^。；;]{0,14}$"
    r"|(?:\b(?:[Oo]ld|[Ff]ormer(?:ly)?|[Pp]reviously|[Oo]riginally|used to be|[Rr]enumbered)|[(（]was)\s+$"
    r"|(?:[原旧]|曾[为是称])\s*$"
)
_DIVISIONS = sorted({word.rstrip("s.") for each in DIVISIONS for word in each.before if word.isascii()})
_PLACES = rf"(?:{'|'.join([*_DIVISIONS, 'Part', 'Volume'])})s?\b"
# What is called after somebody is no work: “we derive Theorem 3.41 from Jensen's inequality”.
_RESULT = "(?:inequality|rule|bound|lemma|theorem|law|identity|formula|method|equation|principle|condition|criterion)"
# … or behind it.
_BEHIND = regex(
    rf"\s*[(（]?\[{_KEY}[\],，;]"
    rf"|[\s,，]*(?:of|in|from)\s+(?:\[|\\cite|(?:the|that) (?:paper|book|original|text)|ibid|op\.\s?cit|loc\.\s?cit"
    rf"|(?!{_PLACES}){_CAPITAL}(?:,? (?:and|&) {_CAPITAL}|'s| et al)*,?\.?\s*(?:[\[(（]|\s{_YEAR}\b)|[A-Z]{{2,}}\s?\d"
    rf"|(?:Lecture|Chapter)\s\d+\sof\s{_CAPITAL}|(?:the\s+|an?\s+)?(?:{_EDITION}|{_EARLIER})\b"
    rf"|(?:the\s+)?(?!{_PLACES}){_NAME}\b(?!\s*\d|['’]s?\s+{_RESULT}))"
    rf"|\s*[\[(（](?:@|{_CAPITAL}(?: et al\.?|(?:,? (?:and|&) {_CAPITAL})*),? {_YEAR})"
    rf"|,\s+(?P<name>{_CAPITAL})(?:,? (?:and|&) {_CAPITAL})*(?:,? {_YEAR})?\s*(?:[.;)）\]]|$)"
    r"|\s+there(?=\s*(?:[.,;:)）]|$))|[的节]?(?:\*\*)?\s*第?\s*\d+\s*页"
    rf"|\s*[(（](?:{_ORDINAL}|old)\s*(?:ed\b|edition|printing|version)"
    # what is not there yet, or no more
    r"|(?::\s[^(（\n]{0,80})?\s*[(（](?:to appear|[Ff]orthcoming|to come|coming soon|to be (?:written|added)|[Pp]lanned"
    r"|in preparation|not yet|TODO|TBD|待写|待补|未写|未完|计划|即将|撰写中|准备中|待续|待定)"
    r"|\s+(?:is|are)\s+now\s+(?=[A-Z]\w+\.?\s*\d)"
    r"|\s+(?:was|were|has been|have been)\s+(?:renumbered|renamed|merged|split)\b"
    r"|\s*[现已被]?(?:改[为作称成]|并入)\s*[^\W\d]{0,3}\s*\d"
)
# What says that it is this book's in spite of all.
_OURS_BEFORE = regex(r"(?:\b[Oo]ur|本[书文章节讲]的?)\s*$")
_OURS_BEHIND = regex(r"\s+(?:above|below|here)\b")
_ELSEWHERE = regex(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
_BESIDE = 12  # characters from a reference to a link behind it
_BESIDE_LINK = regex(r".{0,3}|\s*,?\s*(?:for|see|in|has it as)\s+", re.DOTALL)


def is_ours(text: str, start: int, end: int) -> bool:
    """Say whether the words round a reference call it this book's: “our Theorem 2.4”, “Theorem 2.4 below”."""
    return _OURS_BEFORE.search(text, max(0, start - 8), start) is not None or _OURS_BEHIND.match(text, end) is not None


def names_work(text: str, start: int, end: int) -> bool:
    """Say whether the text round a reference, or a list of them, names another work: a citation, an author, a page."""
    if is_ours(text, start, end):
        return False
    before = text[max(0, start - _REACH) : start]
    return _BEFORE.search(before) is not None or _has_owner(before) or _is_owned(text, end)


def _is_owned(text: str, end: int) -> bool:
    match = _BEHIND.match(text, end)
    return match is not None and (match["name"] or "").lower() not in _NO_NAMES


def told_by_link(block: TextBlock, start: int, end: int) -> bool | None:
    """Say whether a link tells that a reference is another work's, if one does: out of the book, round it or beside."""
    following = bisect_right(block.links, start, key=lambda link: link.start)
    for link in block.links[max(following - 1, 0) : following + 1]:
        outside = _ELSEWHERE.match(link.destination) is not None
        if link.start <= start and end <= link.end and not link.image:
            return outside
        behind = 0 <= link.start - end <= _BESIDE
        if outside and (behind or _BESIDE_LINK.fullmatch(block.passage.text, link.end, start)):
            return True
    return None


# ── where a reference stands ─────────────────────────────────────────────────────────────────────────────

# Headings below which other works are listed, or this one as it was or will be.
_APART = regex(
    r"[\s\d.A-Z]*(?:参考(?:文献|书目|书|资料)|參考(?:文獻|書目|書|資料)|引用文献|文献|文獻"
    r"|(?:延伸|扩展|拓展|推荐|进一步|补充)阅读|(?:延伸|補充|推薦)閱讀"
    r"|(?:Annotated |General )?(?:References|Bibliography)|Works cited|(?:Further|Recommended|Suggested) reading"
    r"|Literature|Literatur(?:verzeichnis)?|Bibliographie|Références"
    r"|Change ?log|Changes(?: (?:since|from|in|to|between) (?:v?\d|(?:the )?(?:\w+ )?(?:version|edition|printing)).*)?"
    r"|(?:Revision|Version) history"
    r"|Release notes|What['’]s new|更新(?:日志|记录)|修订(?:记录|历史)|变更(?:日志|记录)|版本(?:历史|记录))"
    r"(?:$|[^\w\s]|\s*(?:与|和|及|and\b|&|\(|（))",
    re.IGNORECASE,
)
# Headers of columns: this book, and another edition of it.
_HERE = regex(
    r"(?:in )?(?:this|these|our) (?:book|edition|notes|text|course|version)|(?:current|new) (?:edition|version)|here"
    r"|本(?:书|讲义|教程|课程|文)(?:编号)?",
    re.IGNORECASE,
)
_EDITION_COLUMN = regex(
    rf"{_ORDINAL} (?:edition|ed\.?|printing|version)|v(?:ersion )?\d[\d.]*|print(?:ed)?(?: edition| version)?"
    r"|第\s*[一二三四五六七八九十\d]+\s*版|旧版|初版|原版",
    re.IGNORECASE,
)


class Setting:
    """Tells, block by block of a page, where references are not to this book as it is."""

    def __init__(self, path: str) -> None:
        self._level = 0  # of the heading that says so
        self._listing = is_errata_page(path, "")
        self._errata = self._listing  # tables of errata are records, and judged as such
        self._table = 0
        self._compared = False  # whether a column of the table is headed as this book

    def is_apart(self, block: TextBlock) -> bool:
        """Go on to ``block``, and say whether its references are to other works, or to this one as it is not."""
        text = block.passage.text
        if block.kind is BlockKind.CELL:
            return self._is_column_apart(block) or (self._level > 0 and not self._errata)
        if block.kind is BlockKind.HEADING and not 0 < self._level < block.level:
            self._errata = self._listing or ERRATA.search(text) is not None
            self._level = block.level if self._errata or _APART.match(text) else 0
        return self._level > 0 or self._errata

    def _is_column_apart(self, block: TextBlock) -> bool:
        if block.table != self._table:
            self._table, self._compared = block.table, False
        header = (block.header or block.passage).text.strip()
        if block.row == 0:
            self._compared = self._compared or _HERE.fullmatch(header) is not None
        elif _HERE.fullmatch(header):
            return False
        return self._compared or _EDITION_COLUMN.fullmatch(header) is not None
