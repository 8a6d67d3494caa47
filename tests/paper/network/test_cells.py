"""The cells, and the exchange flag inside them."""

from __future__ import annotations

import pytest
import torch

from texlift_paper.network.lstm import LstmDecoderCell, LstmEncoderCell
from texlift_paper.network.recursive import Bridge


def test_exchange_flag_is_the_papers_formula() -> None:
    torch.manual_seed(1)
    cell = LstmEncoderCell(3, 4)
    h_left, h_right, c_left, c_right = (torch.randn(2, 4) for _ in range(4))
    gates = cell.project(torch.randn(2, 3))
    flag = torch.tensor([[0.0], [1.0]])
    h, c = cell(gates, (h_left, c_left), (h_right, c_right), flag)
    plain_h, plain_c = cell(gates, (h_left, c_left), (h_right, c_right))
    swapped_h, swapped_c = cell(gates, (h_right, c_right), (h_left, c_left))
    assert torch.allclose(h[0], plain_h[0]) and torch.allclose(c[0], plain_c[0])
    assert torch.allclose(h[1], swapped_h[1]) and torch.allclose(c[1], swapped_c[1])


def test_xavier_weights_and_zero_biases() -> None:
    cell = LstmDecoderCell(8, 16, sibling=4)
    assert not cell.bias.any()
    assert not LstmEncoderCell(3, 4).bias.any()
    limit = (6 / (8 + 16)) ** 0.5
    assert 0.8 * limit < cell.input.abs().max() <= limit


def test_only_forget_gates_take_the_forget_bias() -> None:
    # encoder: input, output, two forget gates, update; decoder, twice: input, forget, output, update
    assert LstmEncoderCell(3, 2, forget=1.0).bias.tolist() == [0, 0, 0, 0, 1, 1, 1, 1, 0, 0]
    assert LstmDecoderCell(3, 2, forget=1.0).bias.tolist() == 2 * [0, 0, 1, 1, 0, 0, 0, 0]


def test_a_bridge_is_needed_between_different_sizes() -> None:
    with pytest.raises(ValueError, match="bridge"):
        Bridge(4, 5, mapped=False)
    states = [(torch.ones(1, 4), torch.ones(1, 4))]
    assert Bridge(4, 4, mapped=False)(states) is states
    assert Bridge(4, 5)(states)[0][0].shape == (1, 5)
