// Starts `texlift lsp` and connects it with the editor; everything else is done by the server.
const vscode = require("vscode");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");

let client;

function newClient() {
  const command = vscode.workspace.getConfiguration("texlift").get("command") || "texlift";
  const server = { command, args: ["lsp"], transport: TransportKind.stdio };
  return new LanguageClient("texlift", "texlift", server, {
    documentSelector: ["latex", "tex", "markdown"].flatMap((language) => [
      { scheme: "file", language },
      { scheme: "untitled", language },
    ]),
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/texlift.toml") },
  });
}

async function start() {
  client = newClient();
  try {
    await client.start();
  } catch (error) {
    const help = "Install it with: pip install 'texlift[editor]', or set texlift.command.";
    vscode.window.showErrorMessage(`texlift could not be started (${error.message ?? error}). ${help}`);
  }
}

async function stop() {
  const old = client;
  client = undefined;
  await old?.stop().catch(() => undefined);
}

async function activate(context) {
  const restart = async () => {
    await stop();
    await start();
  };
  context.subscriptions.push(
    vscode.commands.registerCommand("texlift.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("texlift.command")) return restart();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
