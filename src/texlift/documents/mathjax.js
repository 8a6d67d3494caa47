// Semantic macros for MathJax 3 and 4, written by texlift. Load this before MathJax.
(function () {
  // name: [most options, parameters, most variables, {what was read / spelling: what is printed}]
  const table = TABLE;
  const holes = "123456789abcdefghijklmnopqrstuvwxyz";
  let spelt = "";
  function call(parser, name) {
    const [options, parameters, variables, forms] = table[name.slice(1)];
    const variant = spelt, given = [];
    let key = "", scripts = "", missing = variables, ats = 0;
    spelt = "";
    while (ats < options && parser.GetNext() === "[") {
      given.push(parser.GetBrackets(name));
      key += "o";
      ats++;
    }
    for (let i = 0; i < parameters; i++) given.push(parser.GetArgument(name));
    for (let next = parser.GetNext(); next === "'" || next === "^" || next === "_"; next = parser.GetNext()) {
      parser.i++;
      scripts += next === "'" ? next : next + "{" + parser.GetArgument(name) + "}";
    }
    while (parser.GetNext() === "@") {
      parser.i++;
      key += "a";
      while (missing > 0 && parser.GetNext() === "{") {
        given.push(parser.GetArgument(name));
        key += "v";
        missing--;
      }
    }
    const form = forms[key + "/" + variant] || forms[key + "/"] || "\\mathrm{" + name.slice(1) + "}#'";
    const text = form.replace(/#(['1-9a-z])/g, (_, mark) => (mark === "'" ? scripts : given[holes.indexOf(mark)] || ""));
    parser.string = text + (/[a-zA-Z]$/.test(text) ? " " : "") + parser.string.slice(parser.i);
    parser.i = 0;
    if (++parser.macroCount > parser.configuration.options.maxMacros) throw new Error("too many macros");
  }
  function spelling(parser, name) {
    spelt = parser.GetArgument(name);
  }
  function define() {
    const { Configuration } = MathJax._.input.tex.Configuration;
    const { CommandMap } = MathJax._.input.tex.SymbolMap || MathJax._.input.tex.TokenMap;
    const names = { spelt: "spelling" };
    for (const name of Object.keys(table)) names[name] = "call";
    new CommandMap("texlift", MathJax.version < "4" ? names : { ...Object.fromEntries(Object.keys(table).map((n) => [n, call])), spelt: spelling }, { call, spelling });
    Configuration.create("texlift", { handler: { macro: ["texlift"] }, priority: 1 });
  }
  const root = typeof window === "undefined" ? globalThis : window;
  const given = root.MathJax || {};
  const ready = given.startup && given.startup.ready;
  root.MathJax = {
    ...given,
    startup: {
      ...given.startup,
      ready() {
        define();
        if (ready) ready();
        else root.MathJax.startup.defaultReady();
      },
    },
    tex: { ...given.tex, packages: { ...(given.tex || {}).packages, "[+]": [...(((given.tex || {}).packages || {})["[+]"] || []), "texlift"] } },
  };
})();
