// Formulae to start from, from all of mathematics.

export const examples = [
  { area: "Special functions", title: "Reflection of the gamma function", latex: "\\Gamma(z)\\Gamma(1-z)=\\frac{\\pi}{\\sin(\\pi z)}", context: "Gamma function" },
  { area: "Special functions", title: "Bessel functions", latex: "J_{\\nu-1}(z)+J_{\\nu+1}(z)=\\frac{2\\nu}{z}J_\\nu(z)", context: "Bessel functions, recurrence relations" },
  { area: "Special functions", title: "Legendre polynomials", latex: "(n+1)P_{n+1}(x)=(2n+1)xP_n(x)-nP_{n-1}(x)", context: "Legendre polynomials" },
  { area: "Special functions", title: "Hypergeometric function", latex: "{}_2F_1(a,b;c;z)=(1-z)^{c-a-b}{}_2F_1(c-a,c-b;c;z)", context: "Hypergeometric function" },
  { area: "Special functions", title: "Elliptic integrals", latex: "E(k)K'(k)+E'(k)K(k)-K(k)K'(k)=\\frac{\\pi}{2}", context: "Legendre's relation, elliptic integrals" },
  { area: "Special functions", title: "Riemann zeta function", latex: "\\zeta(s)=2^s\\pi^{s-1}\\sin\\left(\\frac{\\pi s}{2}\\right)\\Gamma(1-s)\\zeta(1-s)", context: "Zeta function" },
  { area: "Special functions", title: "Airy functions", latex: "\\operatorname{Ai}(z)\\operatorname{Bi}'(z)-\\operatorname{Ai}'(z)\\operatorname{Bi}(z)=\\frac{1}{\\pi}", context: "Airy functions, Wronskian" },
  { area: "Special functions", title: "A wrong equation", latex: "\\Gamma(x+1)=(x+1)\\Gamma(x)", context: "Gamma function" },
  { area: "School", title: "Quadratic formula", latex: "x=\\frac{-b+\\sqrt{b^2-4ac}}{2a}" },
  { area: "School", title: "Double angle", latex: "\\cos(2x)=1-2\\sin^2 x" },
  { area: "School", title: "Binomial theorem", latex: "(a+b)^n=\\sum_{k=0}^n\\binom{n}{k}a^{n-k}b^k" },
  { area: "School", title: "Product or function?", latex: "f(x+1)=a(x+1)" },
  { area: "Calculus", title: "Gaussian integral", latex: "\\int_{-\\infty}^{\\infty}e^{-x^2}\\,dx=\\sqrt{\\pi}" },
  { area: "Calculus", title: "A limit", latex: "\\lim_{x\\to 0}\\frac{\\sin x}{x}=1" },
  { area: "Calculus", title: "Product rule", latex: "\\frac{d}{dx}(x^2\\sin x)=2x\\sin x+x^2\\cos x" },
  { area: "Linear algebra", title: "Determinant", latex: "\\det\\begin{pmatrix}a&b\\\\c&d\\end{pmatrix}=ad-bc" },
  { area: "Linear algebra", title: "Transpose of a product", latex: "(AB)^T=B^TA^T", said: { choices: [], structure: [], declare: { A: "matrix", B: "matrix" } } },
  { area: "Probability", title: "Variance", latex: "\\operatorname{Var}(X)=\\mathbb{E}[X^2]-\\mathbb{E}[X]^2" },
  { area: "Probability", title: "Bayes' theorem", latex: "P(A\\mid B)=\\frac{P(B\\mid A)P(A)}{P(B)}", context: "probability" },
  { area: "Number theory", title: "Basel problem", latex: "\\sum_{n=1}^{\\infty}\\frac{1}{n^2}=\\frac{\\pi^2}{6}" },
  { area: "Number theory", title: "Fermat's little theorem", latex: "a^p\\equiv a\\pmod p", said: { choices: [], structure: [], declare: { p: "prime", a: "integer" } } },
  { area: "Physics", title: "Schrödinger equation", latex: "i\\hbar\\frac{\\partial\\psi}{\\partial t}=-\\frac{\\hbar^2}{2m}\\nabla^2\\psi" },
  { area: "Physics", title: "Commutator", latex: "[x,p]=i\\hbar", said: { choices: [], structure: [], declare: { "[a,b]": "commutator" } } },
];

export const areas = [...new Set(examples.map((example) => example.area))];
