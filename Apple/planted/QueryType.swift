// expect: cannot convert value of type '\[String : Any\]' to expected argument type 'CFDictionary'
import Foundation
import Security

func delete(_ query: [String: Any]) -> OSStatus { SecItemDelete(query) }
