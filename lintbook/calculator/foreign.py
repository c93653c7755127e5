"""Foreign units: those that are not computed with, told by the words behind numbers."""

from __future__ import annotations

from lintbook.calculator.side import Side
from lintbook.patterns import regex

# What names no unit behind a number: it goes on with the sentence, or says of what the number is.
_FUNCTION_WORD = regex(
    r"(?i:a|all|also|among|an|and|are|as|at|because|before|behind|both|but|by|can|each|else|exactly|for|from|gives|has"
    r"|hence|here|i|if|in|instead|into|is|it|no|not|now|of|on|only|or|out|over|per|since|so|than|that|the|then|there|this"
    r"|thus|times|to|total|we|when|where|which|while|with|x|yields)(?![A-Za-z])"
    r"|[不与且之了于以但倍共再则即又可右名后向和因在将就左并当所才把按故於是有来比然由的约经而而能被表要该说还这那都需，]"
)
# What is a unit even between two operators, where words mostly say what is counted.
_UNIT = regex(
    r"[kKMGTmμµn]?(?:VA?|Ah|Pa|Wh|mol|cal|eV|mi|lb|pc)|inch(?:es)?|f(?:ee|oo)?t|y(?:ar)?ds?|miles?|lbs|pounds?|oz|ounces?"
    r"|gal(?:lons?)?|ha|acres?|hp|erg|AU|ly|weeks?|months?|years?|yrs?|yr|decades?|centur(?:y|ies)|furlongs?|(?:kilo)?grams?"
    r"|lit(?:er|re)s?|[英海]里|英[寸尺磅]|[公海市]?[里斤顷尺]|公[升吨]|[年月周升吨克]|星期|个月|光年"
)
# With a prefix they are written for numbers that have no unit elsewhere: `10^10 / 672 = 14.88 Mpps`.
_PREFIXED = regex(r"[kMGTmμµn](?:VA?|Ah?|N|P|Pa|Wh|F|H|K|L|Ω|mol|cal|bar|eV|[A-Z]?[a-z]?ps|IOPS|iops)(?![A-Za-z])")


def has_prefix(label: str) -> bool:
    """Say whether the words behind a number begin with such a unit and a prefix: ``mV``, ``MP``, ``Mpps``."""
    return _PREFIXED.match(label) is not None


def names_unit(side: Side) -> bool:
    """Say whether words may put a side into a unit that is not computed with: ``16 pages``, ``365 years × 2``."""
    behind = bool(side.label) and _FUNCTION_WORD.match(side.label) is None
    return behind or any(_UNIT.fullmatch(word) for word in side.words)
