// Keys and values of the keychain's dictionaries: Apple's names, with Apple's short texts behind them [apple-src].
public import Foundation
import StandIn

public var kSecClass: CFString { "class" }
public var kSecClassGenericPassword: CFString { "genp" }
public var kSecClassKey: CFString { "keys" }
public var kSecAttrService: CFString { "svce" }
public var kSecAttrAccount: CFString { "acct" }
public var kSecAttrAccessGroup: CFString { "agrp" }
public var kSecAttrSynchronizable: CFString { "sync" }
public var kSecAttrSynchronizableAny: CFString { "syna" }
public var kSecAttrAccessible: CFString { "pdmn" }
public var kSecAttrAccessControl: CFString { "accc" }
public var kSecAttrLabel: CFString { "labl" }
public var kSecAttrDescription: CFString { "desc" }
public var kSecAttrComment: CFString { "icmt" }
public var kSecAttrGeneric: CFString { "gena" }
public var kSecAttrCreationDate: CFString { "cdat" }
public var kSecAttrModificationDate: CFString { "mdat" }
public var kSecAttrApplicationTag: CFString { "atag" }
public var kSecAttrAccessibleWhenUnlocked: CFString { "ak" }
public var kSecAttrAccessibleAfterFirstUnlock: CFString { "ck" }
public var kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString { "aku" }
public var kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString { "cku" }
public var kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString { "akpu" }
public var kSecValueData: CFString { "v_Data" }
public var kSecReturnData: CFString { "r_Data" }
public var kSecReturnAttributes: CFString { "r_Attributes" }
public var kSecMatchLimit: CFString { "m_Limit" }
public var kSecMatchLimitOne: CFString { "m_LimitOne" }
public var kSecMatchLimitAll: CFString { "m_LimitAll" }
public var kSecUseAuthenticationContext: CFString { "u_AuthCtx" }
public var kSecUseAuthenticationUI: CFString { "u_AuthUI" }
public var kSecUseAuthenticationUISkip: CFString { "u_AuthUIS" }
public var kSecUseDataProtectionKeychain: CFString { "nleg" }

public var errSecSuccess: OSStatus { Status.success }
public var errSecUnimplemented: OSStatus { Status.unimplemented }
public var errSecParam: OSStatus { Status.param }
public var errSecUserCanceled: OSStatus { Status.userCanceled }
public var errSecNotAvailable: OSStatus { Status.notAvailable }
public var errSecAuthFailed: OSStatus { Status.authFailed }
public var errSecDuplicateItem: OSStatus { Status.duplicateItem }
public var errSecItemNotFound: OSStatus { Status.itemNotFound }
public var errSecInteractionNotAllowed: OSStatus { Status.interactionNotAllowed }
public var errSecInteractionRequired: OSStatus { Status.interactionRequired }
public var errSecInDarkWake: OSStatus { Status.inDarkWake }
public var errSecDecode: OSStatus { Status.decode }
public var errSecInternal: OSStatus { Status.internalError }
public var errSecMissingEntitlement: OSStatus { Status.missingEntitlement }
public var errSecCreateChainFailed: OSStatus { -25318 }
public var errSecCertificateExpired: OSStatus { -67818 }
public var errSecCertificateNotValidYet: OSStatus { -67819 }
public var errSecNotTrusted: OSStatus { -67843 }
