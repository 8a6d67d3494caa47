// The API page, drawn from the service's own description of itself.

import { get } from "./api.js";
import { byId, element } from "./element.js";

const described = await get("/openapi.json");
byId("about").textContent = described.info.description;
for (const [path, methods] of Object.entries(described.paths)) {
  for (const [method, route] of Object.entries(methods)) {
    const parts = [element("h2", {}, element("code", {}, `${method.toUpperCase()} ${path}`)), element("p", {}, route.summary ?? "")];
    for (const [type, content] of Object.entries(route.requestBody?.content ?? {})) {
      const example = typeof content.example === "string" ? content.example : JSON.stringify(content.example, null, 1);
      const sent = typeof content.example === "string" ? content.example : JSON.stringify(content.example);
      parts.push(element("h3", {}, type), element("pre", {}, example), element("pre", {}, `curl -s ${location.origin}${path} --data-binary '${sent.replaceAll("'", "'\\''")}'`));
    }
    for (const parameter of route.parameters ?? []) {
      parts.push(element("p", {}, element("code", {}, parameter.name), ` (${parameter.in}${parameter.required ? ", required" : ""})`));
    }
    const statuses = Object.entries(route.responses ?? {}).map(([status, response]) => element("li", {}, element("code", {}, status), ` ${response.description}`));
    parts.push(element("details", {}, element("summary", {}, "answers"), element("ul", {}, ...statuses)));
    byId("routes").append(element("section", { class: "card" }, ...parts));
  }
}
