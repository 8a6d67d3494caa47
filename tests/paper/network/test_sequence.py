"""Networks over tokens: the same scores token by token as at once, beam search, placeholders, copying."""

from __future__ import annotations

import pytest
import torch

from texlift_paper.network.loss import masked_loss
from texlift_paper.network.sequence import SequenceConfig, SequenceModel, padded
from texlift_paper.network.sequence_kinds import ARCHITECTURES
from texlift_paper.network.sequence_search import write
from texlift_paper.network.tokens import Numbers, latex_of, token_vocabulary, tokens_of
from texlift_paper.network.vocabulary import UNKNOWN, ZERO

PAIRS = [
    (r"\Gamma\left(z\right)", r"\EulerGamma@{z}"),
    (r"J_{12}\left(x\right)+120", r"\BesselJ{12}@{x}+120"),
    ("a+b", "a+b"),
    (r"\sin z", r"\sin@@{z}"),
]
VOCABULARY = token_vocabulary((tokens_of(text) for pair in PAIRS for text in pair), 1)


def network(architecture: str, placeholders: bool = False, state: int = 32) -> SequenceModel:
    torch.manual_seed(0)
    config = SequenceConfig(architecture, state=state, embedding=24, layers=2, heads=2, dropout=0.0)
    vocabulary = VOCABULARY
    if placeholders:
        vocabulary = type(VOCABULARY)([*VOCABULARY.labels, "<number_1>", "<number_2>"])
    return ARCHITECTURES[architecture](config, vocabulary, placeholders)


def learn(model: SequenceModel, steps: int = 120) -> None:
    optimiser = torch.optim.Adam(model.parameters(), lr=5e-3)
    targets = torch.tensor([token for target in model.targets(PAIRS) for token in target])
    for _ in range(steps):
        model.train()
        loss = masked_loss(model(PAIRS), targets)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_token_by_token_is_the_same_as_all_at_once(architecture: str) -> None:
    model = network(architecture).eval()
    memory, cache = model.read([model.source(generic) for generic, _ in PAIRS])
    inputs, _ = padded([[ZERO, *model.numbers(tokens_of(semantic))] for _, semantic in PAIRS])
    whole, _ = model.advance(inputs, cache, memory)
    _, cache = model.read([model.source(generic) for generic, _ in PAIRS])
    steps = []
    for place in range(inputs.shape[1]):
        states, cache = model.advance(inputs[:, place : place + 1], cache, memory)
        steps.append(states)
    assert torch.allclose(torch.cat(steps, dim=1), whole, atol=1e-5)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_other_formulae_of_a_batch_do_not_matter(architecture: str) -> None:
    model = network(architecture).eval()
    alone, together = model(PAIRS[2:3]), model(PAIRS)
    start = sum(len(target) for target in model.targets(PAIRS[:2]))
    assert torch.allclose(together[start : start + len(alone)], alone, atol=1e-4)


@pytest.mark.parametrize("beam", [1, 3])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_what_was_learned_is_written(architecture: str, beam: int) -> None:
    model = network(architecture, placeholders=True)
    learn(model)
    answers = write(model, [generic for generic, _ in PAIRS], beam)
    assert [latex_of(answer.tokens) for answer in answers] == [semantic for _, semantic in PAIRS]
    for answer in answers:
        assert answer.attention.shape == (len(answer.raw), len(answer.source.tokens))
        assert torch.allclose(answer.attention.sum(dim=1), torch.ones(len(answer.raw)), atol=1e-4)
        assert -1 < answer.score <= 0


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_wider_beam_finds_no_less_likely_answer(architecture: str) -> None:
    model = network(architecture)
    learn(model, 12)  # half trained: the greedy answer need not be the likeliest
    texts = [generic for generic, _ in PAIRS]
    one, many = write(model, texts, 1, longest=12), write(model, texts, 8, longest=12)
    assert sum(answer.score for answer in many) >= sum(answer.score for answer in one)


def test_an_untrained_network_stops() -> None:
    model = network("conv")
    with torch.no_grad():
        model.output.bias[1] = -50.0  # it never wants to end
    assert all(len(answer.tokens) <= 30 for answer in write(model, ["a+b", "x"], longest=30))


def test_numbers_are_hidden_and_shown() -> None:
    tokens = tokens_of(r"12x+0.577-x_{3}+12")
    numbers = Numbers.of(tokens)
    assert numbers.texts == ("12", "0.577")
    hidden = numbers.hide(tokens)
    assert hidden[0] == "<number_1>" and hidden[-1] == "<number_1>" and "3" in hidden
    assert tuple(numbers.show(hidden)) == tokens
    assert numbers.hide(list("34+12")) == ["3", "4", "+", "<number_1>"]
    assert numbers.show(["<number_9>"]) == ["<number_9>"]


def test_tokens_become_latex_again() -> None:
    assert latex_of(["\\sin", "z", "+", "\\pi", "\\pi", "2"]) == r"\sin z+\pi\pi2"


def test_a_token_nobody_knows_is_copied_from_where_the_network_looked() -> None:
    model = network("lstm")
    with torch.no_grad():
        model.output.bias[UNKNOWN] = 50.0
    (answer,) = write(model, ["\\Q+\\R"], longest=3)
    looked_at = answer.attention.argmax(dim=1).tolist()
    assert answer.tokens == tuple(("\\Q", "+", "\\R")[place] for place in looked_at)
