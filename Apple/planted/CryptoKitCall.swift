// expect: cannot convert value of type '\[UInt8\]' to expected argument type 'SymmetricKey'
import CryptoKit

func seal(_ bytes: [UInt8], _ key: [UInt8]) throws -> AES.GCM.SealedBox {
    try AES.GCM.seal(bytes, using: key)
}
