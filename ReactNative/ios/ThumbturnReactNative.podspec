require 'json'

package = JSON.parse(File.read(File.join(__dir__, '..', 'package.json')))

Pod::Spec.new do |s|
  s.name = 'ThumbturnReactNative'
  s.version = package['version']
  s.summary = package['description']
  s.license = package['license']
  s.author = 'Thumbturn'
  s.homepage = 'https://thumbturn.example'
  s.source = { git: '' }
  s.source_files = '*.swift'
  s.static_framework = true
  # The library runs from iOS 15.0, Expo from 15.1.
  s.platforms = { ios: '15.1' }
  s.swift_version = '6.0'
  s.pod_target_xcconfig = { 'DEFINES_MODULE' => 'YES', 'SWIFT_COMPILATION_MODE' => 'wholemodule' }

  s.dependency 'ExpoModulesCore'

  # The library is a Swift package, which React Native's own helper adds to the project of the pods: scripts/cocoapods/spm.rb,
  # from 0.75 on. It takes the address of a repository alone, so a local checkout is file:///…, with a tag of this version.
  raise 'Thumbturn needs React Native 0.75: there is no spm_dependency' unless respond_to?(:spm_dependency, true)
  url = ENV['THUMBTURN_REPOSITORY'] or raise 'Set THUMBTURN_REPOSITORY to the repository of Thumbturn: it is in no public one'
  spm_dependency(
    s,
    url: url,
    requirement: { kind: 'exactVersion', version: package['version'] },
    products: %w[Thumbturn ThumbturnApple ThumbturnHost ThumbturnUI]
  )
end
