export { type MobileNetV2Options, mobilenetV2 } from './mobilenet-v2.ts';
export { type ResNet18Options, resnet18 } from './resnet18.ts';
