// What a command says is `Words` or `JSON`: whoever imports the console can name them.
@_exported public import ThumbturnJSON
@_exported public import ThumbturnRules
