// expect: instance method 'withUnsafeBytes' is not available due to missing import of defining module 'Foundation'
import CryptoKit

func isEmpty(_ box: AES.GCM.SealedBox) -> Bool {
    unsafe box.ciphertext.withUnsafeBytes { bytes in unsafe bytes.isEmpty }
}
