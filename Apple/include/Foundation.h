// The part of Foundation that ThumbturnApple, ThumbturnTransport and the tests call and Objective-C declares. Names, signatures and availability as Apple
// documents them; what Swift adds is in overlay/Foundation.swiftinterface.
#pragma once
#include "CoreFoundation.h"

#define NS_ENUM(_type, _name) enum __attribute__((enum_extensibility(open))) _name : _type _name; enum _name : _type
#define NS_OPTIONS(_type, _name) \
    enum __attribute__((flag_enum, enum_extensibility(open))) _name : _type _name; enum _name : _type
#define NS_ERROR_ENUM(_domain, _name) \
    enum _name : NSInteger _name; enum __attribute__((ns_error_domain(_domain), enum_extensibility(open))) _name : NSInteger
#define NS_SWIFT_NAME(_name) __attribute__((swift_name(#_name)))
#define NS_SWIFT_SENDABLE __attribute__((swift_attr("@Sendable")))
#define NS_SWIFT_NONISOLATED __attribute__((swift_attr("nonisolated")))
#define NS_SWIFT_UI_ACTOR __attribute__((swift_attr("@UIActor")))
#define NS_EXTENSIBLE_STRING_ENUM __attribute__((swift_wrapper(struct)))
#define API_AVAILABLE(_ios, _macos) \
    __attribute__((availability(ios, introduced = _ios), availability(macos, introduced = _macos)))
#define API_IOS_ONLY(_ios) __attribute__((availability(ios, introduced = _ios), availability(macos, unavailable)))
#define API_MACOS_ONLY(_macos) __attribute__((availability(ios, unavailable), availability(macos, introduced = _macos)))

#pragma clang assume_nonnull begin
@class NSArray<ObjectType>;

__attribute__((swift_bridge("Swift.String"))) @interface NSString : NSObject
@property (readonly, copy) NSString *lastPathComponent;
@property (readonly, copy) NSString *deletingLastPathComponent;
@end
__attribute__((swift_bridge("Foundation.Data"))) @interface NSData : NSObject
@end
__attribute__((swift_bridge("Swift.Array"))) @interface NSArray<ObjectType> : NSObject
@end
__attribute__((swift_bridge("Swift.Dictionary"))) @interface NSDictionary<KeyType, ObjectType> : NSObject
@end
__attribute__((swift_bridge("Foundation.URL"))) @interface NSURL : NSObject
@end
__attribute__((swift_bridge("Foundation.Date"))) @interface NSDate : NSObject
@end
typedef struct _NSRange {
    NSUInteger location;
    NSUInteger length;
} NSRange;
@interface NSOperationQueue : NSObject
@end
@interface NSNull : NSObject
@end

typedef NSString *NSErrorDomain;
extern const NSErrorDomain NSOSStatusErrorDomain;
NS_SWIFT_SENDABLE @interface NSError : NSObject
@property (readonly, copy) NSErrorDomain domain;
@property (readonly) NSInteger code;
@end

NS_SWIFT_SENDABLE @interface NSLock : NSObject
- (void)lock;
- (void)unlock;
@end

NS_SWIFT_SENDABLE @interface NSCondition : NSObject
- (void)lock;
- (void)unlock;
- (void)wait;
- (BOOL)waitUntilDate:(NSDate *)limit NS_SWIFT_NAME(wait(until:));
- (void)broadcast;
@end

NS_SWIFT_NAME(ProcessInfo) NS_SWIFT_SENDABLE @interface NSProcessInfo : NSObject
@property (class, readonly, strong) NSProcessInfo *processInfo;
@property (readonly, copy) NSDictionary<NSString *, NSString *> *environment;
@property (readonly) NSUInteger activeProcessorCount;
@property (readonly) double systemUptime;
@property (readonly, copy) NSString *operatingSystemVersionString;
- (void)performExpiringActivityWithReason:(NSString *)reason
                               usingBlock:(void (NS_SWIFT_SENDABLE ^)(BOOL expired))block
    NS_SWIFT_NAME(performExpiringActivity(withReason:using:))
        __attribute__((availability(ios, introduced = 8.2), availability(macos, unavailable)));
@end

typedef NSString *NSNotificationName NS_EXTENSIBLE_STRING_ENUM NS_SWIFT_NAME(NSNotification.Name);
__attribute__((swift_bridge("Foundation.Notification"))) @interface NSNotification : NSObject
@end
NS_SWIFT_NAME(NotificationCenter) NS_SWIFT_SENDABLE @interface NSNotificationCenter : NSObject
@property (class, readonly, strong) NSNotificationCenter *defaultCenter NS_SWIFT_NAME(default);
- (id<NSObject>)addObserverForName:(nullable NSNotificationName)name
                            object:(nullable id)object
                             queue:(nullable NSOperationQueue *)queue
                        usingBlock:(void (NS_SWIFT_SENDABLE ^)(NSNotification *notification))block
    NS_SWIFT_NAME(addObserver(forName:object:queue:using:));
- (void)removeObserver:(id)observer;
- (void)postNotificationName:(NSNotificationName)name object:(nullable id)object NS_SWIFT_NAME(post(name:object:));
@end

typedef NSString *NSFileAttributeKey NS_EXTENSIBLE_STRING_ENUM NS_SWIFT_NAME(FileAttributeKey);
extern NSFileAttributeKey const NSFileType NS_SWIFT_NAME(FileAttributeKey.type);
extern NSFileAttributeKey const NSFileSize NS_SWIFT_NAME(FileAttributeKey.size);
extern NSFileAttributeKey const NSFilePosixPermissions NS_SWIFT_NAME(FileAttributeKey.posixPermissions);
extern NSFileAttributeKey const NSFileSystemFileNumber NS_SWIFT_NAME(FileAttributeKey.systemFileNumber);
extern NSFileAttributeKey const NSFileOwnerAccountID NS_SWIFT_NAME(FileAttributeKey.ownerAccountID);
typedef NSString *NSFileAttributeType NS_EXTENSIBLE_STRING_ENUM NS_SWIFT_NAME(FileAttributeType);
extern NSFileAttributeType const NSFileTypeRegular NS_SWIFT_NAME(FileAttributeType.typeRegular);
extern NSFileAttributeType const NSFileTypeSymbolicLink NS_SWIFT_NAME(FileAttributeType.typeSymbolicLink);
extern NSFileAttributeType const NSFileTypeDirectory NS_SWIFT_NAME(FileAttributeType.typeDirectory);
NSString *NSTemporaryDirectory(void);

// Where a method of Objective-C throws, it takes where to put the error.
#define NS_THROWS error:(NSError *__autoreleasing _Nullable *_Nullable)error
NS_SWIFT_NAME(FileManager) @interface NSFileManager : NSObject
@property (class, readonly, strong) NSFileManager *defaultManager NS_SWIFT_NAME(default);
@property (readonly, copy) NSURL *temporaryDirectory;
- (BOOL)fileExistsAtPath:(NSString *)path NS_SWIFT_NAME(fileExists(atPath:));
- (BOOL)fileExistsAtPath:(NSString *)path isDirectory:(nullable BOOL *)isDirectory
    NS_SWIFT_NAME(fileExists(atPath:isDirectory:));
- (BOOL)isWritableFileAtPath:(NSString *)path NS_SWIFT_NAME(isWritableFile(atPath:));
- (BOOL)isExecutableFileAtPath:(NSString *)path NS_SWIFT_NAME(isExecutableFile(atPath:));
- (BOOL)createFileAtPath:(NSString *)path
                contents:(nullable NSData *)data
              attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes
    NS_SWIFT_NAME(createFile(atPath:contents:attributes:));
- (BOOL)createDirectoryAtURL:(NSURL *)url
    withIntermediateDirectories:(BOOL)createIntermediates
                     attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes
                          NS_THROWS NS_SWIFT_NAME(createDirectory(at:withIntermediateDirectories:attributes:));
- (BOOL)createSymbolicLinkAtPath:(NSString *)path withDestinationPath:(NSString *)destination NS_THROWS
    NS_SWIFT_NAME(createSymbolicLink(atPath:withDestinationPath:));
- (BOOL)linkItemAtPath:(NSString *)path toPath:(NSString *)destination NS_THROWS
    NS_SWIFT_NAME(linkItem(atPath:toPath:));
- (BOOL)moveItemAtPath:(NSString *)path toPath:(NSString *)destination NS_THROWS
    NS_SWIFT_NAME(moveItem(atPath:toPath:));
- (BOOL)copyItemAtPath:(NSString *)path toPath:(NSString *)destination NS_THROWS
    NS_SWIFT_NAME(copyItem(atPath:toPath:));
- (BOOL)removeItemAtPath:(NSString *)path NS_THROWS NS_SWIFT_NAME(removeItem(atPath:));
- (nullable NSArray<NSString *> *)contentsOfDirectoryAtPath:(NSString *)path NS_THROWS
    NS_SWIFT_NAME(contentsOfDirectory(atPath:));
- (nullable NSArray<NSString *> *)subpathsOfDirectoryAtPath:(NSString *)path NS_THROWS
    NS_SWIFT_NAME(subpathsOfDirectory(atPath:));
- (nullable NSDictionary<NSFileAttributeKey, id> *)attributesOfItemAtPath:(NSString *)path NS_THROWS
    NS_SWIFT_NAME(attributesOfItem(atPath:));
- (BOOL)setAttributes:(NSDictionary<NSFileAttributeKey, id> *)attributes ofItemAtPath:(NSString *)path NS_THROWS
    NS_SWIFT_NAME(setAttributes(_:ofItemAtPath:));
- (BOOL)createDirectoryAtPath:(NSString *)path
    withIntermediateDirectories:(BOOL)createIntermediates
                     attributes:(nullable NSDictionary<NSFileAttributeKey, id> *)attributes
                          error:(NSError *__autoreleasing _Nullable *_Nullable)error
    NS_SWIFT_NAME(createDirectory(atPath:withIntermediateDirectories:attributes:));
@end

typedef NS_ENUM(NSUInteger, NSSearchPathDirectory) {
    NSCachesDirectory = 13,
    NSApplicationSupportDirectory = 14,
} NS_SWIFT_NAME(FileManager.SearchPathDirectory);
typedef NS_OPTIONS(NSUInteger, NSSearchPathDomainMask) {
    NSUserDomainMask = 1,
} NS_SWIFT_NAME(FileManager.SearchPathDomainMask);
NSArray<NSString *> *NSSearchPathForDirectoriesInDomains(
    NSSearchPathDirectory directory, NSSearchPathDomainMask domainMask, BOOL expandTilde);

// What an extension is told of the app that shows it.
extern NSNotificationName const NSExtensionHostWillEnterForegroundNotification API_IOS_ONLY(8.2);
extern NSNotificationName const NSExtensionHostDidEnterBackgroundNotification API_IOS_ONLY(8.2);
extern NSNotificationName const NSExtensionHostWillResignActiveNotification API_IOS_ONLY(8.2);
extern NSNotificationName const NSExtensionHostDidBecomeActiveNotification API_IOS_ONLY(8.2);

@interface NSCoder : NSObject
@end
@protocol NSCoding
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end
NS_SWIFT_NAME(Bundle) NS_SWIFT_SENDABLE @interface NSBundle : NSObject
@property (class, readonly, strong) NSBundle *mainBundle NS_SWIFT_NAME(main);
@property (class, readonly, copy) NSArray<NSBundle *> *allBundles;
@property (readonly, copy) NSURL *bundleURL;
@property (readonly, copy) NSString *bundlePath;
- (nullable id)objectForInfoDictionaryKey:(NSString *)key NS_SWIFT_NAME(object(forInfoDictionaryKey:));
@end

NS_SWIFT_NAME(Thread) @interface NSThread : NSObject
@property (class, readonly) BOOL isMainThread;
+ (void)detachNewThreadWithBlock:(void (NS_SWIFT_SENDABLE ^)(void))block NS_SWIFT_NAME(detachNewThread(_:));
@end

// URLSession. The two types are Security's, whose headers Foundation's include there.
typedef struct CF_BRIDGED(id) __SecTrust *SecTrustRef;
enum __attribute__((enum_extensibility(open))) tls_protocol_version_t : uint16_t {
    tls_protocol_version_TLSv12 NS_SWIFT_NAME(TLSv12) = 0x0303,
    tls_protocol_version_TLSv13 NS_SWIFT_NAME(TLSv13) = 0x0304,
};
typedef enum tls_protocol_version_t tls_protocol_version_t;

__attribute__((swift_bridge("Foundation.URLRequest"))) @interface NSURLRequest : NSObject
@end
NS_SWIFT_NAME(URLResponse) NS_SWIFT_SENDABLE @interface NSURLResponse : NSObject
@end
NS_SWIFT_NAME(HTTPURLResponse) NS_SWIFT_SENDABLE @interface NSHTTPURLResponse : NSURLResponse
@property (readonly) NSInteger statusCode;
- (nullable NSString *)valueForHTTPHeaderField:(NSString *)field NS_SWIFT_NAME(value(forHTTPHeaderField:))
    API_AVAILABLE(13.0, 10.15);
@end

extern NSString *const NSURLAuthenticationMethodServerTrust;
NS_SWIFT_NAME(URLProtectionSpace) NS_SWIFT_SENDABLE @interface NSURLProtectionSpace : NSObject
@property (readonly, copy) NSString *authenticationMethod;
@property (nullable, readonly) SecTrustRef serverTrust;
@end
NS_SWIFT_NAME(URLAuthenticationChallenge) NS_SWIFT_SENDABLE @interface NSURLAuthenticationChallenge : NSObject
@property (readonly, copy) NSURLProtectionSpace *protectionSpace;
@end
NS_SWIFT_NAME(URLCredential) NS_SWIFT_SENDABLE @interface NSURLCredential : NSObject
- (instancetype)initWithTrust:(SecTrustRef)trust;
@end

NS_SWIFT_NAME(HTTPCookieStorage) NS_SWIFT_SENDABLE @interface NSHTTPCookieStorage : NSObject
@end
NS_SWIFT_NAME(URLCache) NS_SWIFT_SENDABLE @interface NSURLCache : NSObject
@end
NS_SWIFT_NAME(URLCredentialStorage) NS_SWIFT_SENDABLE @interface NSURLCredentialStorage : NSObject
@end
// Not marked as safe to share between threads: the stricter reading.
NS_SWIFT_NAME(URLSessionConfiguration) @interface NSURLSessionConfiguration : NSObject
@property (class, readonly, strong) NSURLSessionConfiguration *ephemeralSessionConfiguration NS_SWIFT_NAME(ephemeral);
@property double timeoutIntervalForRequest;
@property double timeoutIntervalForResource;
@property (nullable, copy) NSDictionary *connectionProxyDictionary;
@property tls_protocol_version_t TLSMinimumSupportedProtocolVersion NS_SWIFT_NAME(tlsMinimumSupportedProtocolVersion)
    API_AVAILABLE(13.0, 10.15);
@property BOOL HTTPShouldSetCookies NS_SWIFT_NAME(httpShouldSetCookies);
@property (nullable, retain) NSHTTPCookieStorage *HTTPCookieStorage NS_SWIFT_NAME(httpCookieStorage);
@property (nullable, retain) NSURLCredentialStorage *URLCredentialStorage NS_SWIFT_NAME(urlCredentialStorage);
@property (nullable, retain) NSURLCache *URLCache NS_SWIFT_NAME(urlCache);
@end

NS_SWIFT_NAME(URLSessionTask) NS_SWIFT_SENDABLE @interface NSURLSessionTask : NSObject
- (void)cancel;
- (void)resume;
@end
NS_SWIFT_NAME(URLSessionDataTask) NS_SWIFT_SENDABLE @interface NSURLSessionDataTask : NSURLSessionTask
@end
@protocol NSURLSessionDelegate;
NS_SWIFT_NAME(URLSession) NS_SWIFT_SENDABLE @interface NSURLSession : NSObject
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration
                                  delegate:(nullable id<NSURLSessionDelegate>)delegate
                             delegateQueue:(nullable NSOperationQueue *)queue
    NS_SWIFT_NAME(init(configuration:delegate:delegateQueue:));
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request NS_SWIFT_NAME(dataTask(with:));
- (void)finishTasksAndInvalidate;
@end

typedef NS_ENUM(NSInteger, NSURLSessionAuthChallengeDisposition) {
    NSURLSessionAuthChallengeUseCredential = 0,
    NSURLSessionAuthChallengePerformDefaultHandling = 1,
    NSURLSessionAuthChallengeCancelAuthenticationChallenge = 2,
    NSURLSessionAuthChallengeRejectProtectionSpace = 3,
} NS_SWIFT_NAME(URLSession.AuthChallengeDisposition);
typedef NS_ENUM(NSInteger, NSURLSessionResponseDisposition) {
    NSURLSessionResponseCancel = 0,
    NSURLSessionResponseAllow = 1,
} NS_SWIFT_NAME(URLSession.ResponseDisposition);

NS_SWIFT_NAME(URLSessionDelegate) NS_SWIFT_SENDABLE @protocol NSURLSessionDelegate <NSObject>
@optional
- (void)URLSession:(NSURLSession *)session
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
      completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURLSessionAuthChallengeDisposition disposition,
                                                    NSURLCredential *_Nullable credential))completionHandler
    NS_SWIFT_NAME(urlSession(_:didReceive:completionHandler:));
@end
NS_SWIFT_NAME(URLSessionTaskDelegate) NS_SWIFT_SENDABLE @protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
                          task:(NSURLSessionTask *)task
    willPerformHTTPRedirection:(NSHTTPURLResponse *)response
                    newRequest:(NSURLRequest *)request
             completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURLRequest *_Nullable))completionHandler
    NS_SWIFT_NAME(urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:));
- (void)URLSession:(NSURLSession *)session
                    task:(NSURLSessionTask *)task
    didCompleteWithError:(nullable NSError *)error NS_SWIFT_NAME(urlSession(_:task:didCompleteWithError:));
@end
NS_SWIFT_NAME(URLSessionDataDelegate) NS_SWIFT_SENDABLE @protocol NSURLSessionDataDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
              dataTask:(NSURLSessionDataTask *)dataTask
    didReceiveResponse:(NSURLResponse *)response
     completionHandler:(void (NS_SWIFT_SENDABLE ^)(NSURLSessionResponseDisposition disposition))completionHandler
    NS_SWIFT_NAME(urlSession(_:dataTask:didReceive:completionHandler:));
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask didReceiveData:(NSData *)data
    NS_SWIFT_NAME(urlSession(_:dataTask:didReceive:));
@end
#pragma clang assume_nonnull end
