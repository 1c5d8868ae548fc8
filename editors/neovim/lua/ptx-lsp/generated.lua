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
  -- Architectures, oldest first.
  targets = {
    "sm_10", "sm_11", "sm_12", "sm_13", "sm_20", "sm_21", "sm_30", "sm_32", "sm_35", "sm_37",
    "sm_50", "sm_52", "sm_53", "sm_60", "sm_61", "sm_62", "sm_70", "sm_72", "sm_75", "sm_80",
    "sm_82", "sm_86", "sm_87", "sm_88", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_100f",
    "sm_101", "sm_101a", "sm_101f", "sm_103", "sm_103a", "sm_103f", "sm_107", "sm_107a", "sm_107f", "sm_110",
    "sm_110a", "sm_110f", "sm_120", "sm_120a", "sm_120f", "sm_121", "sm_121a", "sm_121f",
  },
  -- Versions of PTX, oldest first.
  versions = {
    "1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "2.0", "2.1", "2.2", "2.3",
    "3.0", "3.1", "3.2", "4.0", "4.1", "4.2", "4.3", "5.0", "5.1", "6.0",
    "6.1", "6.2", "6.3", "6.4", "6.5", "7.0", "7.1", "7.2", "7.3", "7.4",
    "7.5", "7.6", "7.7", "7.8", "8.0", "8.1", "8.2", "8.3", "8.4", "8.5",
    "8.6", "8.7", "8.8", "9.0", "9.1", "9.2", "9.3", "9.4", "9.5",
  },
}
