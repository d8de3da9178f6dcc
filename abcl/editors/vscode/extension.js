// Starts `abcl lsp` for files of ABCL/ST.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("abcl").get("command");
  client = new LanguageClient("abcl", "ABCL/ST", { command, args: ["lsp"] }, { documentSelector: [{ language: "abcl" }] });
  return client.start();
};

exports.deactivate = () => client && client.stop();
