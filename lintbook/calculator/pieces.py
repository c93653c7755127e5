"""Pieces: the text between two relations, cut where words part it.

Words before a piece and behind its numbers are no part of it, unless they do arithmetic themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from lintbook.calculator.groups import Group, Item, begins_operand, ends_operand, flat, is_token
from lintbook.calculator.plain import CODE, PROSE, UPRIGHT
from lintbook.calculator.tokens import Mark, Token
from lintbook.patterns import regex

# Words that say that the number behind them is rounded.
_ROUGHLY = frozenset({"约", "约为", "大约", "近", "大约为", "about", "roughly", "approximately", "approx", "circa"})
# Words that do arithmetic between two numbers, and those that do it behind one.
_BETWEEN = frozenset(
    (
        *("times", "plus", "minus", "over", "by", "mod", "modulo", "div", "remainder", "rem", "percent", "dozen"),
        *("to", "or"),  # a range, a choice
    )
)
_OF_A_SHARE = (["of"], ["的"])
_BETWEEN_IDEOGRAPHS = regex("次方|次幂|平方|立方|分之|乘|加|减|除|模|余|比|或|到|至")
_BEHIND = frozenset(("squared", "cubed", "percent", "dozen"))
_BEHIND_IDEOGRAPHS = regex("(?:次方|次幂|平方|立方|分之)$")
MAX_BETWEEN = 2  # words that do arithmetic: divided by


class Piece(Struct):
    """A stretch of operators and operands, with the words before and behind it, and those within it."""

    before: list[Token] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    within: list[Token] = field(default_factory=list)
    behind: list[Token] = field(default_factory=list)
    open: bool = False

    @property
    def is_share(self) -> bool:
        """Whether it is a percentage or a fraction, of which something may be taken: 50 % of 20, but not 72 of 128."""
        return any(token.text in ("%", "/", "\\frac") for token in flat(self.items))

    @property
    def begins_with_share(self) -> bool:
        """Whether the word before it makes a part of its number: 百分之 20."""
        return bool(self.before) and self.before[-1].text.endswith("分之")

    @property
    def ends_with_operand(self) -> bool:
        """Whether nothing is missing behind its last operator."""
        return bool(self.items) and ends_operand(self.items[-1])


def pieces_of(part: Sequence[Item]) -> list[Piece]:
    """Cut what stands between two relations where words part it; words that count or name are left out."""
    pieces = [Piece()]
    for number, item in enumerate(part):
        after = part[number + 1] if number + 1 < len(part) else None
        if is_token(item, Mark.WORD):
            _add_word(pieces[-1], item)
            continue
        if _parts_from(pieces[-1], item, after):
            pieces[-1].open |= isinstance(item, Group) and _speaks_of_modulus(item)
            pieces.append(Piece(before=pieces[-1].behind.copy()))
        _add_item(pieces[-1], item, after)
    _drop_multiplier(pieces[-1])
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        piece.open |= any(_calculates_behind(word) for word in piece.behind) or piece.begins_with_share
        share = piece.is_share and [word.text for word in piece.behind] in _OF_A_SHARE
        if following and (share or _calculate_between(piece.behind)):
            piece.open = following.open = True
    return [piece for piece in pieces if piece.items]


def _add_word(piece: Piece, word: Token) -> None:
    if not piece.items:
        piece.before.append(word)
        return
    last = piece.items[-1]
    if is_token(last, Mark.OPERATOR) and not piece.behind and last.text != "!":
        if last.text == "/" and word.setting in (PROSE, UPRIGHT) and _may_count(piece, word):
            piece.items.pop()  # 12/layer: a label
        elif word.gap:
            _drop_multiplier(piece)
    piece.open |= not piece.ends_with_operand
    piece.behind.append(word)


def _may_count(piece: Piece, word: Token) -> bool:
    """Say whether a word below a stroke tells of what a number is: ``12/layer``; a letter only of one by itself."""
    if len(word.text) > 1 or not word.text.isascii():
        return True
    counts = all(is_token(item, Mark.NUMBER) or is_token(item, Mark.MEASURE) for item in piece.items[:-1])
    return counts and word.text in ("s", "h")


def _drop_multiplier(piece: Piece) -> None:
    """Take the sign of ``4× faster`` for a word."""
    last = piece.items[-1] if piece.items else None
    if is_token(last, Mark.OPERATOR) and last.text == "×" and not last.gap:
        piece.items.pop()


_IN_WORDS = (PROSE, CODE)
_MAX_LABEL = 3  # words between a number and the operator behind it


def _parts_from(piece: Piece, item: Item, after: Item | None) -> bool:
    """Say whether ``item`` begins a side of its own."""
    if not piece.items:
        return False
    if piece.behind:
        joins = is_token(item, Mark.OPERATOR) and item.text != "!"
        return not joins or len(piece.behind) > _MAX_LABEL or _is_sign(item, after)
    if not piece.ends_with_operand or not begins_operand(item):
        return False
    # Between words a bracket is a remark, (1) before a number counts, and two formulas are two; 2 1/2 is no such thing.
    last = piece.items[-1]
    formulas = item.setting not in _IN_WORDS and last.setting not in _IN_WORDS
    parted = item.apart or (item.setting == PROSE) != (last.setting == PROSE)
    if is_token(item, Mark.FUNCTION) and is_token(last, Mark.NUMBER) and item.setting == last.setting:
        return False  # 3 ln(100)
    return parted and (formulas or isinstance(last, Group) or not is_token(item, Mark.NUMBER))


def _is_sign(item: Item, after: Item | None) -> bool:
    """Say whether a minus is glued to what follows and not to what stands before it."""
    return is_token(item, Mark.OPERATOR) and item.text == "-" and item.gap and after is not None and not after.gap


def _add_item(piece: Piece, item: Item, after: Item | None) -> None:
    if piece.behind:
        piece.open |= _calculate_between(piece.behind) or any(_calculates_behind(word) for word in piece.behind)
        piece.within += piece.behind
        piece.behind.clear()
    if not piece.items and piece.before and is_token(item, Mark.OPERATOR):
        piece.open |= not _is_sign(item, after)
    if is_token(item, Mark.NUMBER) and piece.ends_with_operand:
        piece.open = True  # 2 1/2
    piece.open |= is_token(item, Mark.UNKNOWN) or (isinstance(item, Group) and _speaks_of_modulus(item))
    piece.items.append(item)


def _speaks_of_modulus(group: Group) -> bool:
    first = group.items[0] if group.items else None
    return isinstance(first, Token) and (first.text.startswith("mod") or first.text.startswith("模"))


def says_roughly(word: Token) -> bool:
    """Say whether a word makes the number behind it a rounded one."""
    return word.text.lower() in _ROUGHLY


def _calculates_behind(word: Token) -> bool:
    """Say whether a word changes the number before it."""
    return word.text.lower() in _BEHIND or _BEHIND_IDEOGRAPHS.search(word.text) is not None


def _calculate_between(words: Sequence[Token]) -> bool:
    """Say whether the words between two numbers make one number of them: ``10 times 3``, ``50 % of 20``."""
    if not words or len(words) > MAX_BETWEEN:
        return False
    last = words[-1].text
    return last.lower() in _BETWEEN or (len(last) <= MAX_BETWEEN + 2 and _BETWEEN_IDEOGRAPHS.search(last) is not None)
