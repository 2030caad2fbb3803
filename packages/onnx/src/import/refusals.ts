/** Why some operators of ONNX are not imported, by name or by operator set. */

const TEXTS = 'it computes with texts, and tensors here hold numbers and bools';

/** The reason for each operator that stands for more than the missing import. */
const REASONS: Readonly<Record<string, string>> = {
  ImageDecoder: 'it decodes files of images: decode them before the model',
  RegexFullMatch: TEXTS,
  StringConcat: TEXTS,
  StringNormalizer: TEXTS,
  StringSplit: TEXTS,
};

/** The reasons for all operators of a domain. */
const DOMAINS: Readonly<Record<string, string>> = {
  'ai.onnx.ml': 'operators of classical machine learning are not imported',
  'ai.onnx.preview.training': 'operators of training are not imported',
};

/** The reason for which an operator is not imported, if there is one. */
export function refusal(domain: string, opType: string): string | undefined {
  if (domain !== '' && domain !== 'ai.onnx') {
    return Object.hasOwn(DOMAINS, domain)
      ? DOMAINS[domain]
      : 'its domain is none of ONNX, and the model has no function of this name';
  }
  return Object.hasOwn(REASONS, opType) ? REASONS[opType] : undefined;
}
