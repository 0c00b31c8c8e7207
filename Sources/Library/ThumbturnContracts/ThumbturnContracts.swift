// Types that the interfaces use besides those of the vault.
@_exported public import Thumbturn
@_exported public import enum ThumbturnDevice.AccessControl
@_exported public import protocol ThumbturnDevice.BiometricService
@_exported public import struct ThumbturnDevice.ItemName
@_exported public import protocol ThumbturnDevice.KeychainService
@_exported public import struct ThumbturnRules.AppUnlockFields
@_exported public import struct ThumbturnRules.BiometricSettingsFields
@_exported public import struct ThumbturnRules.UnlockPolicyContext
