// Formulae to start from.

export const examples = [
  { title: "Reflection of the gamma function", latex: "\\Gamma(z)\\Gamma(1-z)=\\frac{\\pi}{\\sin(\\pi z)}", context: "Gamma function" },
  { title: "Bessel functions", latex: "J_{\\nu-1}(z)+J_{\\nu+1}(z)=\\frac{2\\nu}{z}J_\\nu(z)", context: "Bessel functions, recurrence relations" },
  { title: "Legendre polynomials", latex: "(n+1)P_{n+1}(x)=(2n+1)xP_n(x)-nP_{n-1}(x)", context: "Legendre polynomials" },
  { title: "Jacobi polynomials", latex: "P_n^{(\\alpha,\\beta)}(-x)=(-1)^nP_n^{(\\beta,\\alpha)}(x)", context: "Orthogonal polynomials" },
  { title: "Hypergeometric function", latex: "{}_2F_1(a,b;c;z)=(1-z)^{c-a-b}{}_2F_1(c-a,c-b;c;z)", context: "Hypergeometric function" },
  { title: "Elliptic integrals", latex: "E(k)K'(k)+E'(k)K(k)-K(k)K'(k)=\\frac{\\pi}{2}", context: "Legendre's relation, elliptic integrals" },
  { title: "Jacobian elliptic functions", latex: "\\operatorname{sn}^2(z,k)+\\operatorname{cn}^2(z,k)=1", context: "Jacobian elliptic functions" },
  { title: "Riemann zeta function", latex: "\\zeta(s)=2^s\\pi^{s-1}\\sin\\left(\\frac{\\pi s}{2}\\right)\\Gamma(1-s)\\zeta(1-s)", context: "Zeta function" },
  { title: "Error function", latex: "\\operatorname{erf}(z)=\\frac{2}{\\sqrt{\\pi}}\\int_0^z e^{-t^2}\\,dt", context: "Error functions" },
  { title: "Airy functions", latex: "\\operatorname{Ai}(z)\\operatorname{Bi}'(z)-\\operatorname{Ai}'(z)\\operatorname{Bi}(z)=\\frac{1}{\\pi}", context: "Airy functions, Wronskian" },
  { title: "A wrong equation", latex: "\\Gamma(x+1)=(x+1)\\Gamma(x)", context: "Gamma function" },
];
