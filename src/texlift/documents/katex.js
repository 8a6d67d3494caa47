// Semantic macros for KaTeX, written by texlift: katex.render(text, element, { macros: { ...texliftMacros } }).
const texliftMacros = (function () {
  // name: [most options, parameters, most variables, {what was read / spelling: what is printed}]
  const table = TABLE;
  const holes = "123456789abcdefghijklmnopqrstuvwxyz";
  let spelt = "";
  const written = (tokens) =>
    [...tokens].reverse().reduce((text, token) => text + token.text + (/^\\[a-zA-Z@]+$/.test(token.text) ? " " : ""), "");
  const argument = (context) => written(context.consumeArg().tokens);
  function call(context, name, ats) {
    const [options, parameters, variables, forms] = table[name];
    const variant = spelt, given = [];
    let key = "", scripts = "", missing = variables, count = 0;
    const next = () => (context.consumeSpaces(), context.future().text);
    spelt = "";
    if (!ats) {
      for (; count < options && next() === "["; count++) {
        context.popToken();
        given.push(written(context.consumeArg(["]"]).tokens));
        key += "o";
      }
      for (let i = 0; i < parameters; i++) given.push(argument(context));
      for (let sign = next(); sign === "'" || sign === "^" || sign === "_"; sign = next()) {
        context.popToken();
        scripts += sign === "'" ? sign : sign + "{" + argument(context) + "}";
      }
    }
    while (ats || next() === "@") {
      if (ats) {
        key += "a".repeat(ats); // KaTeX reads \name@@ as one word
        ats = 0;
      } else {
        context.popToken();
        key += "a";
      }
      while (missing > 0 && next() === "{") {
        given.push(argument(context));
        key += "v";
        missing--;
      }
    }
    const form = forms[key + "/" + variant] || forms[key + "/"] || "\\mathrm{" + name + "}#'";
    return form.replace(/#(['1-9a-z])/g, (_, mark) => (mark === "'" ? scripts : given[holes.indexOf(mark)] || ""));
  }
  const macros = {
    "\\spelt": (context) => {
      spelt = argument(context);
      return "";
    },
  };
  const runs = Object.values(table).flatMap((entry) => Object.keys(entry[3])).flatMap((key) => key.match(/a+/g) || [""]);
  const mostAts = Math.max(...runs.map((run) => run.length));
  for (const name of Object.keys(table))
    for (let ats = 0; ats <= mostAts; ats++) macros["\\" + name + "@".repeat(ats)] = (context) => call(context, name, ats);
  return macros;
})();
if (typeof module !== "undefined") module.exports = texliftMacros;
