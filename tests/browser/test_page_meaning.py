"""What a person sees and says about the meaning of a formula on the page."""

from typing import Any

from test_page import photograph, type_formula


def said_words(page: Any, text: str) -> None:
    page.wait_for_function("(text) => document.getElementById('words').textContent.includes(text)", arg=text)


def test_a_sentence_says_what_the_formula_means(page: Any) -> None:
    type_formula(page, r"J_\nu(z)", "Bessel functions")
    assert page.text_content("#words") == "The Bessel function of the first kind of order nu at z."
    page.wait_for_function("() => document.getElementById('spoken').textContent.includes('Confidence')")


def test_a_long_sentence_is_short_until_asked_for(page: Any) -> None:
    type_formula(page, "+".join(rf"\frac{{x^{{{n}}}}}{{{n}}}" for n in range(2, 12)))
    low = page.evaluate("document.getElementById('words').clientHeight")
    page.click("#more-words")
    assert page.evaluate("document.getElementById('words').clientHeight") > low


def test_half_a_formula_is_no_error_until_the_keys_rest(page: Any) -> None:
    type_formula(page, r"\Gamma(z)", "Gamma function")
    page.evaluate(
        """() => { window.flashes = 0; new MutationObserver(() => {
            if (document.getElementById('error').textContent) window.flashes++;
        }).observe(document.getElementById('error'), { childList: true }); }"""
    )
    page.focus("#latex")
    page.keyboard.press("End")
    page.keyboard.type(r"+\frac{1}{2}", delay=60)
    page.wait_for_function("() => document.getElementById('source').textContent.endsWith('{2}')")
    assert page.evaluate("window.flashes") == 0
    page.keyboard.press("Backspace")
    page.wait_for_selector("#answer.stale")
    assert "gamma function" in page.text_content("#words")  # the last good answer stays
    page.wait_for_selector("#error:not(:empty)")


def test_a_symbol_of_the_formula_is_explained_and_declared(page: Any) -> None:
    type_formula(page, "n+x")
    page.hover("#rendered .handle >> nth=0")
    page.wait_for_selector("#card:not([hidden]) strong:has-text('n')")
    page.click("#rendered .handle >> nth=0")
    page.fill("#card .meaning-search", "positive integer")
    page.click("#card .found button:has-text('positive integer')")
    page.wait_for_selector("#symbols button:has-text('declared')")
    assert "n means positive integer" in page.text_content("#said")
    photograph(page, "declared")
    page.click("#undo")
    page.wait_for_function("() => !document.getElementById('symbols').textContent.includes('declared')")


def test_a_declared_macro_and_a_declared_concept_are_obeyed(page: Any) -> None:
    type_formula(page, "K(x)+Q(A)")
    page.click("#symbols button:has-text('Q')")
    page.fill("#card .meaning-search", "probability")
    photograph(page, "search")
    page.locator("#card .found button").filter(has=page.locator("code", has_text="Q(#1)")).first.click()
    said_words(page, "robability of capital A")
    assert "Q(#1) means probability" in page.text_content("#said")
    page.click("#said button >> nth=0")
    page.wait_for_function("() => !document.getElementById('words').textContent.includes('robability')")
    page.click("#symbols button:has-text('K')")
    page.fill("#card .meaning-search", "complete elliptic first kind")
    page.locator("#card .found button").filter(has=page.locator("code", has_text="compellintKk")).first.click()
    page.wait_for_function("() => document.getElementById('semantic').textContent.includes('compellintKk')")


def test_a_notation_that_is_not_understood_can_be_declared(page: Any) -> None:
    type_formula(page, r"\langle p,q\rangle+1")
    said_words(page, "Not understood as a whole")
    page.click("#declare")
    page.fill("#card .notation", r"\langle p,q\rangle")
    page.fill("#card .meaning-search", "inner product")
    page.click("#card .found button:has-text('inner product')")
    said_words(page, "inner product of p and q")


def test_a_symbol_is_declared_with_the_keyboard_alone(page: Any) -> None:
    type_formula(page, "x^2")
    page.focus("#symbols button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#card .found button")
    assert page.evaluate("document.activeElement.className") == "meaning-search"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.symbol") == "0"
    page.keyboard.press("Enter")
    page.keyboard.type("vector")
    page.wait_for_selector("#card .found li:first-child:has-text('vector')")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector("#symbols button:has-text('vector; declared')")


def test_a_declaration_that_cannot_be_obeyed_is_an_error(page: Any, service: Any) -> None:
    page.goto(f"{service.url}/#latex=x%2B1&declare=x: nonsense")
    page.reload()
    page.wait_for_selector("#error:has-text('not a kind of symbol')")
    page.click("#said button")
    page.wait_for_function("() => document.getElementById('words').textContent === 'x plus 1.'")
    assert page.text_content("#error") == ""


def test_an_ambiguous_place_is_chosen_and_code_obeys(page: Any) -> None:
    type_formula(page, "T(n/2)+n")
    page.select_option("#structure select", "product")
    said_words(page, "apital T times n over 2")
    page.click("#tab-code")
    page.wait_for_function("() => document.getElementById('code').textContent.includes('T*n/2')")
    photograph(page, "structure")
    page.click("#tab-check")
    page.click("#check-form button")
    page.wait_for_selector("#verdict .error:has-text('ambiguous places')")  # not checked as something else


def test_the_meaning_tree_is_drawn_on_request(page: Any) -> None:
    type_formula(page, "T(n/2)+n")
    assert page.locator("#meaning-picture img").count() == 0
    page.click("#meaning > summary")
    page.wait_for_selector("#meaning-picture img")
    assert "T (function)" in page.text_content("#meaning-text")
    page.select_option("#structure select", "product")
    page.wait_for_function("() => !document.getElementById('meaning-text').textContent.includes('(function)')")
    photograph(page, "meaning")


def test_a_link_brings_choices_and_declarations_along(page: Any, service: Any) -> None:
    type_formula(page, r"\Gamma(z)+T(n/2)", "Gamma function")
    page.select_option("#decisions select", "")
    page.wait_for_function("() => !document.getElementById('semantic').textContent.includes('EulerGamma')")
    page.locator("#structure tr", has_text="T(n/2)").locator("select").select_option("product")
    said_words(page, "capital T times n")
    link, words = page.url, page.text_content("#words")
    other = page.context.new_page()
    other.goto(link)
    other.wait_for_function("() => document.body.dataset.shown")
    assert other.text_content("#words") == words
    assert other.locator("#said li").count() == 2
    assert "EulerGamma" not in other.text_content("#semantic")


def test_the_domain_stands_beside_the_verdict(page: Any) -> None:
    type_formula(page, r"\sin^2 x+\cos^2 x=1")
    page.click("#tab-check")
    page.click("#check-form button")
    page.wait_for_selector(".verdict.proved .domain", timeout=40_000)
    assert "x" in page.text_content(".verdict .domain")


def test_every_example_is_understood(page: Any) -> None:
    for value in page.eval_on_selector_all("#examples option", "all => all.map((one) => one.value).filter(Boolean)"):
        shown = int(page.evaluate("document.body.dataset.shown"))
        page.select_option("#examples", value)
        page.wait_for_function("(shown) => Number(document.body.dataset.shown) > shown", arg=shown)
        words = page.text_content("#words")
        assert words and "Not understood" not in words, (value, words)
        assert page.text_content("#error") == ""
