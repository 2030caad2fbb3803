"""One file optimized by one tool: `optimize.py TOOL IN OUT`, in a process of its own.

TOOL is onnxsim, onnxslim, basic or extended: the last two are what onnxruntime writes at that level.
"""
import sys

import onnx

tool, source, target = sys.argv[1:4]
if tool == 'onnxsim':
    import onnxsim

    model, _ = onnxsim.simplify(source)
    onnx.save(model, target)
elif tool == 'onnxslim':
    import onnxslim

    onnxslim.slim(source, target)
else:
    import onnxruntime

    levels = onnxruntime.GraphOptimizationLevel
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.optimized_model_filepath = target
    options.graph_optimization_level = {
        'basic': levels.ORT_ENABLE_BASIC,
        'extended': levels.ORT_ENABLE_EXTENDED,
    }[tool]
    onnxruntime.InferenceSession(source, options, providers=['CPUExecutionProvider'])
