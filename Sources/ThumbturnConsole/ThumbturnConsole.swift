// What a command says is `Words`: whoever imports the console can name them.
@_exported public import ThumbturnRules
