// A host names a vault's configuration, a device and the app's phase.
@_exported public import Thumbturn
@_exported public import enum ThumbturnRules.AppPhase
@_exported public import enum ThumbturnRules.Language
@_exported public import enum ThumbturnRules.SecretKind
