-- Made by: python -m editors.generate

return {
  -- Version of this plugin, and of the server that it was made with.
  version = "0.1.0",
  -- The oldest Python that runs the server.
  python = "3.11",
  -- Types of semantic tokens, and the standard one that each can stand for.
  token_types = {
    ["opcode"] = "keyword",
    ["qualifier"] = "modifier",
    ["rounding"] = "modifier",
    ["order"] = "modifier",
    ["scope"] = "modifier",
    ["cache"] = "modifier",
    ["shape"] = "modifier",
    ["space"] = "modifier",
    ["type"] = "type",
    ["directive"] = "macro",
    ["register"] = "variable",
    ["predicate"] = "variable",
    ["specialRegister"] = "enumMember",
    ["variable"] = "variable",
    ["parameter"] = "parameter",
    ["function"] = "function",
    ["label"] = "enumMember",
    ["property"] = "property",
    ["enumMember"] = "enumMember",
    ["namespace"] = "namespace",
    ["number"] = "number",
    ["string"] = "string",
    ["comment"] = "comment",
  },
}
