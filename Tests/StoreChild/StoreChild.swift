import ThumbturnService
@main struct StoreChild { static func main() {} }
