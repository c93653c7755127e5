"""What torch counts: library formulas confirmed by the real module, built on the ``meta`` device, which has no data.

torch is an extra (``lintbook[torch]``) and imported when a formula is to be confirmed.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import cache
from importlib.util import find_spec
from typing import Any

Sizes = Mapping[str, int]


def is_installed() -> bool:
    """Say whether torch is there; nothing is imported."""
    return find_spec("torch") is not None


def confirmed(name: str, sizes: Sizes) -> int | None:
    """Return what torch counts for a formula of the library; None if torch has no such module.

    ``sizes`` gives the symbols of the formula, which must be positive integers. Raise ValueError or RuntimeError of
    torch for sizes that it refuses, and ModuleNotFoundError if it is not installed.
    """
    count = COUNTS.get(name)
    return None if count is None else count(sizes)


@cache
def _torch() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that numpy is missing is no matter here
        import torch  # type: ignore[import-not-found,unused-ignore]  # an extra
    return torch


def _empty(*shape: int, bytes_each: int = 4) -> Any:
    types = {1: _torch().int8, 2: _torch().bfloat16, 4: _torch().float32, 8: _torch().float64}
    return _torch().empty(*shape, device="meta", dtype=types[bytes_each])


def _parameters(*modules: Any) -> int:
    return sum(parameter.numel() for module in modules for parameter in module.parameters())


def _module(name: str, *arguments: Any, **options: Any) -> Any:
    return getattr(_torch().nn, name)(*arguments, device="meta", **options)


def _heads(d: int) -> int:
    """Return a number of heads that divides the width; how many there are makes no parameter more or less."""
    return next(heads for heads in (12, 8, 4, 2, 1) if d % heads == 0)


def _one_bias(sizes: Sizes) -> int:
    kinds = {1: "RNN", 3: "GRU", 4: "LSTM"}
    cell = _module(kinds[sizes["g"]], sizes["d_x"], sizes["d_h"])
    return _parameters(cell) - int(cell.bias_hh_l0.numel())


def _recurrent(kind: str) -> Callable[[Sizes], int]:
    return lambda sizes: _parameters(_module(kind, sizes["d_x"], sizes["d_h"]))


def _encoder_layer(d: int) -> Any:
    return _module("TransformerEncoderLayer", d, _heads(d), 4 * d)


def _gpt(sizes: Sizes) -> int:
    d = sizes["d"]
    block = _parameters(_encoder_layer(d))
    embeddings = (_module("Embedding", sizes[rows], d) for rows in ("V", "P"))
    return _parameters(*embeddings, _module("LayerNorm", d)) + sizes["L"] * block


def _grouped_attention(sizes: Sizes) -> list[Any]:
    d, queries, keys = sizes["d"], sizes["n_h"] * sizes["d_h"], sizes["n_kv"] * sizes["d_h"]
    widths = ((d, queries), (d, keys), (d, keys), (queries, d))
    return [_module("Linear", *width, bias=False) for width in widths]


def _gated_layer(sizes: Sizes) -> list[Any]:
    d, inner = sizes["d"], sizes["d_ff"]
    return [_module("Linear", *width, bias=False) for width in ((d, inner), (d, inner), (inner, d))]


def _gated_block(sizes: Sizes) -> int:
    norms = [_module("RMSNorm", sizes["d"]) for _ in range(2)]
    return _parameters(*_grouped_attention(sizes), *_gated_layer(sizes), *norms)


def _llama(sizes: Sizes) -> int:
    ends = (_module("Embedding", sizes["V"], sizes["d"]), _module("Linear", sizes["d"], sizes["V"], bias=False))
    return _parameters(*ends, _module("RMSNorm", sizes["d"])) + sizes["L"] * _gated_block(sizes)


def _convolution(sizes: Sizes) -> Any:
    return _module("Conv2d", sizes["c_in"], sizes["c_out"], sizes["k"])


def _output_side(sizes: Sizes) -> int:
    convolution = _module("Conv2d", 1, 1, sizes["k"], stride=sizes["st"], padding=sizes["p"])
    return int(convolution(_empty(1, 1, sizes["n"], sizes["n"])).shape[-1])


def _receptive_field(sizes: Sizes) -> int:
    """Return how many points are left of an input whose layers see all of it: one, at just this size."""
    layer = _module("Conv2d", 1, 1, sizes["k"])
    side = 1
    while True:
        image = _empty(1, 1, side, side)
        try:
            for _ in range(sizes["L"]):
                image = layer(image)
        except RuntimeError:  # the kernel is larger than what is left
            side += 1
            continue
        return side


def _operations(run: Callable[[], Any]) -> int:
    from torch.utils.flop_counter import FlopCounterMode  # type: ignore[import-not-found,unused-ignore]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with FlopCounterMode(display=False) as counter:
            run()
    return int(counter.get_total_flops())


def _convolution_flops(sizes: Sizes) -> int:
    image = _empty(1, sizes["c_in"], sizes["H"] + sizes["k"] - 1, sizes["W"] + sizes["k"] - 1)
    return _operations(lambda: _convolution(sizes)(image))


def _matmul_flops(sizes: Sizes) -> int:
    rows, matrix = _empty(sizes["B"], sizes["D"]), _empty(sizes["D"], sizes["F"])
    return _operations(lambda: rows @ matrix)


def _attention_flops(sizes: Sizes) -> int:
    batch, tokens, width = sizes["B"], sizes["T"], sizes["d"]
    queries, keys = _empty(batch, tokens, width), _empty(batch, width, tokens)
    scores, values = _empty(batch, tokens, tokens), _empty(batch, tokens, width)
    return _operations(lambda: (queries @ keys, scores @ values))


def _scores(sizes: Sizes) -> int:
    queries = _empty(sizes["B"], sizes["h"], sizes["T"], 64)
    return int((queries @ queries.transpose(-1, -2)).numel())


def _cache(sizes: Sizes) -> int:
    shape = (sizes["L"], 2, sizes["B"], sizes["n_kv"], sizes["T"], sizes["d_h"])
    cache = _empty(*shape, bytes_each=sizes["s"])
    return int(cache.numel() * cache.element_size())


def _matmul_bytes(sizes: Sizes) -> int:
    shapes = ((sizes["B"], sizes["D"]), (sizes["D"], sizes["F"]), (sizes["B"], sizes["F"]))
    tensors = [_empty(*shape, bytes_each=sizes["s"]) for shape in shapes]
    return sum(int(tensor.numel() * tensor.element_size()) for tensor in tensors)


def _weights(sizes: Sizes) -> int:
    weights = _empty(sizes["N"], bytes_each=sizes["s"])
    return int(weights.numel() * weights.element_size())


def _adam_state(sizes: Sizes) -> int:
    weights = _torch().nn.Parameter(_torch().zeros(sizes["N"]))
    optimizer = _torch().optim.AdamW([weights])
    weights.grad = _torch().zeros_like(weights)
    optimizer.step()
    state = optimizer.state[weights]
    return int(state["exp_avg"].numel() + state["exp_avg_sq"].numel())


# What torch counts for the formulas of the library that it has a module, an operation or a tensor for.
COUNTS: dict[str, Callable[[Sizes], int]] = {
    "recurrent_parameters": _one_bias,
    "rnn_parameters": _recurrent("RNN"),
    "gru_parameters": _recurrent("GRU"),
    "lstm_parameters": _recurrent("LSTM"),
    "linear_parameters": lambda sizes: _parameters(_module("Linear", sizes["d_in"], sizes["d_out"])),
    "embedding_parameters": lambda sizes: _parameters(_module("Embedding", sizes["V"], sizes["d"])),
    "attention_parameters": lambda sizes: _parameters(_module("MultiheadAttention", sizes["d"], _heads(sizes["d"]))),
    "gqa_parameters": lambda sizes: _parameters(*_grouped_attention(sizes)),
    "ffn_parameters": lambda sizes: _parameters(
        _module("Linear", sizes["d"], 4 * sizes["d"]), _module("Linear", 4 * sizes["d"], sizes["d"])
    ),
    "gated_ffn_parameters": lambda sizes: _parameters(*_gated_layer(sizes)),
    "layernorm_parameters": lambda sizes: _parameters(_module("LayerNorm", sizes["d"])),
    "rmsnorm_parameters": lambda sizes: _parameters(_module("RMSNorm", sizes["d"])),
    "block_parameters": lambda sizes: _parameters(_encoder_layer(sizes["d"])),
    "gated_block_parameters": _gated_block,
    "gpt_parameters": _gpt,
    "llama_parameters": _llama,
    "kv_cache": _cache,
    "attention_scores": _scores,
    "attention_flops": _attention_flops,
    "weight_memory": _weights,
    "adam_state": _adam_state,
    "matmul_flops": _matmul_flops,
    "matmul_bytes": _matmul_bytes,
    "conv_parameters": lambda sizes: _parameters(_convolution(sizes)),
    "depthwise_parameters": lambda sizes: _parameters(
        _module("Conv2d", sizes["c"], sizes["c"], sizes["k"], groups=sizes["c"])
    ),
    "separable_parameters": lambda sizes: _parameters(
        _module("Conv2d", sizes["c_in"], sizes["c_in"], sizes["k"], groups=sizes["c_in"], bias=False),
        _module("Conv2d", sizes["c_in"], sizes["c_out"], 1, bias=False),
    ),
    "batchnorm_parameters": lambda sizes: _parameters(_module("BatchNorm2d", sizes["c"])),
    "conv_output": _output_side,
    "conv_flops": _convolution_flops,
    "receptive_field": _receptive_field,
}
