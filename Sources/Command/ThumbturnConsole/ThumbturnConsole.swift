// The console's API uses `Words` and `JSON`, so its clients need both modules.
@_exported public import ThumbturnJSON
@_exported public import ThumbturnRules
