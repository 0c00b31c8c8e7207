// An app that shows a vault needs the vault and the types of its screens.
@_exported public import Thumbturn
@_exported public import enum ThumbturnRules.AppPhase
@_exported public import struct ThumbturnRules.AppUnlockFields
@_exported public import enum ThumbturnRules.BackupAdvice
@_exported public import struct ThumbturnRules.BackupFields
@_exported public import struct ThumbturnRules.BiometricSettingsFields
@_exported public import struct ThumbturnRules.CaptureFields
@_exported public import enum ThumbturnRules.CompletionStep
@_exported public import struct ThumbturnRules.Countdown
@_exported public import struct ThumbturnRules.OnboardingFields
@_exported public import struct ThumbturnRules.PINChangeFields
@_exported public import struct ThumbturnRules.PINReminder
@_exported public import struct ThumbturnRules.RecoverFields
@_exported public import struct ThumbturnRules.RecoveryKeyFields
@_exported public import enum ThumbturnRules.SecretKind
@_exported public import struct ThumbturnRules.SystemSettingsFields
@_exported public import struct ThumbturnRules.TrailEvent
@_exported public import struct ThumbturnRules.TrailFields
@_exported public import struct ThumbturnRules.TrailPage
@_exported public import struct ThumbturnRules.UserError
@_exported public import struct ThumbturnRules.VaultScreensFields
@_exported public import struct ThumbturnRules.WordsFields
