// The part of Foundation that ThumbturnApple and the tests call and Objective-C declares. Names, signatures and availability as Apple
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
@interface NSOperationQueue : NSObject
@end
@interface NSNull : NSObject
@end

typedef NSString *NSErrorDomain;
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

NS_SWIFT_NAME(Bundle) NS_SWIFT_SENDABLE @interface NSBundle : NSObject
@property (class, readonly, strong) NSBundle *mainBundle NS_SWIFT_NAME(main);
@property (class, readonly, copy) NSArray<NSBundle *> *allBundles;
@property (readonly, copy) NSURL *bundleURL;
@property (readonly, copy) NSString *bundlePath;
- (nullable id)objectForInfoDictionaryKey:(NSString *)key NS_SWIFT_NAME(object(forInfoDictionaryKey:));
@end

NS_SWIFT_NAME(Thread) @interface NSThread : NSObject
+ (void)detachNewThreadWithBlock:(void (NS_SWIFT_SENDABLE ^)(void))block NS_SWIFT_NAME(detachNewThread(_:));
@end
#pragma clang assume_nonnull end
