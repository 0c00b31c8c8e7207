// The types that an app uses: with the credential vault's own, everything that `import ThumbturnCredentials` provides.
@_exported public import struct ThumbturnDevice.Device
@_exported public import struct ThumbturnDevice.PromptText
@_exported public import enum ThumbturnRules.Assurance
@_exported public import struct ThumbturnRules.BiometricCapability
@_exported public import struct ThumbturnRules.ClockReading
@_exported public import enum ThumbturnRules.CredentialProtection
@_exported public import struct ThumbturnRules.CredentialVaultMachine
@_exported public import enum ThumbturnRules.DeviceKind
@_exported public import enum ThumbturnRules.ErrorCode
@_exported public import enum ThumbturnRules.Language
@_exported public import struct ThumbturnRules.Milliseconds
@_exported public import struct ThumbturnRules.VaultError
