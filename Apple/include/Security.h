// The part of Security that ThumbturnApple and ThumbturnTransport call.
#pragma once
#include "Foundation.h"

#pragma clang arc_cf_code_audited begin
#pragma clang assume_nonnull begin
typedef struct CF_BRIDGED(id) __SecAccessControl *SecAccessControlRef;
typedef NS_OPTIONS(CFOptionFlags, SecAccessControlCreateFlags) {
    kSecAccessControlUserPresence = 1u << 0,
    kSecAccessControlBiometryAny API_AVAILABLE(11.3, 10.13.4) = 1u << 1,
    kSecAccessControlBiometryCurrentSet API_AVAILABLE(11.3, 10.13.4) = 1u << 3,
    kSecAccessControlDevicePasscode API_AVAILABLE(9.0, 10.11) = 1u << 4,
    kSecAccessControlWatch API_MACOS_ONLY(10.15) = 1u << 5,
    kSecAccessControlCompanion API_AVAILABLE(18.0, 15.0) = 1u << 5,
    kSecAccessControlOr API_AVAILABLE(9.0, 10.12.1) = 1u << 14,
    kSecAccessControlAnd API_AVAILABLE(9.0, 10.12.1) = 1u << 15,
    kSecAccessControlPrivateKeyUsage API_AVAILABLE(9.0, 10.12.1) = 1u << 30,
    kSecAccessControlApplicationPassword API_AVAILABLE(9.0, 10.12.1) = 1u << 31,
};
SecAccessControlRef _Nullable SecAccessControlCreateWithFlags(
    CFAllocatorRef _Nullable allocator, CFTypeRef protection, SecAccessControlCreateFlags flags,
    CFErrorRef _Nullable *_Nullable error) CF_RETURNS_RETAINED;

extern const CFStringRef kSecClass, kSecClassGenericPassword;
extern const CFStringRef kSecAttrService, kSecAttrAccount, kSecAttrGeneric, kSecAttrAccessGroup;
extern const CFStringRef kSecAttrSynchronizable, kSecAttrSynchronizableAny;
extern const CFStringRef kSecAttrAccessible, kSecAttrAccessControl, kSecAttrAccessibleWhenUnlockedThisDeviceOnly;
extern const CFStringRef kSecValueData, kSecReturnData, kSecReturnAttributes, kSecMatchLimit, kSecMatchLimitOne;
extern const CFStringRef kSecUseAuthenticationContext;
extern const CFStringRef kSecUseDataProtectionKeychain API_AVAILABLE(13.0, 10.15);

enum : OSStatus {
    errSecSuccess = 0,
    errSecUnimplemented = -4,
    errSecParam = -50,
    errSecUserCanceled = -128,
    errSecNotAvailable = -25291,
    errSecAuthFailed = -25293,
    errSecDuplicateItem = -25299,
    errSecItemNotFound = -25300,
    errSecInteractionNotAllowed = -25308,
    errSecInteractionRequired = -25315,
    errSecInDarkWake = -25320,
    errSecDecode = -26275,
    errSecMissingEntitlement = -34018,
    errSecCreateChainFailed = -25318,
    errSecCertificateExpired = -67818,
    errSecCertificateNotValidYet = -67819,
    errSecNotTrusted = -67843,
};
OSStatus SecItemAdd(CFDictionaryRef attributes, CFTypeRef _Nullable *_Nullable CF_RETURNS_RETAINED result);
OSStatus SecItemCopyMatching(CFDictionaryRef query, CFTypeRef _Nullable *_Nullable CF_RETURNS_RETAINED result);
OSStatus SecItemUpdate(CFDictionaryRef query, CFDictionaryRef attributesToUpdate);
OSStatus SecItemDelete(CFDictionaryRef query);

typedef struct CF_BRIDGED(id) __SecCertificate *SecCertificateRef;
SecCertificateRef _Nullable SecCertificateCreateWithData(CFAllocatorRef _Nullable allocator, CFDataRef data)
    CF_RETURNS_RETAINED API_AVAILABLE(2.0, 10.6);
CFDataRef SecCertificateCopyData(SecCertificateRef certificate) CF_RETURNS_RETAINED API_AVAILABLE(2.0, 10.6);
OSStatus SecTrustSetAnchorCertificates(SecTrustRef trust, CFArrayRef _Nullable anchorCertificates) API_AVAILABLE(2.0, 10.3);
OSStatus SecTrustSetAnchorCertificatesOnly(SecTrustRef trust, BOOL anchorCertificatesOnly) API_AVAILABLE(2.0, 10.6);
BOOL SecTrustEvaluateWithError(SecTrustRef trust, CFErrorRef _Nullable *_Nullable CF_RETURNS_RETAINED error)
    API_AVAILABLE(12.0, 10.14);
CFArrayRef _Nullable SecTrustCopyCertificateChain(SecTrustRef trust) CF_RETURNS_RETAINED API_AVAILABLE(15.0, 12.0);
#pragma clang assume_nonnull end
#pragma clang arc_cf_code_audited end
